package dev.kymo.kernel.daemon;

import dev.kymo.format.KernelEventFormat;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** The events that a client has registered, with the numbers by which the client knows them. */
final class Registration {
  final String clock;
  final int bufferKb;
  private final Map<String, Integer> numbers = new LinkedHashMap<>();

  Registration(String clock, int bufferKb, Map<String, KernelEventFormat> formats) {
    this.clock = clock;
    this.bufferKb = bufferKb;
    formats.keySet().forEach(name -> numbers.put(name, numbers.size()));
  }

  Set<String> events() {
    return new HashSet<>(numbers.keySet());
  }

  /** Number of an event; -1 if the client does not know it. */
  int number(String event) {
    return numbers.getOrDefault(event, -1);
  }
}
