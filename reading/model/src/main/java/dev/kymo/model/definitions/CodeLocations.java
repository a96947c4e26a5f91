package dev.kymo.model;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What is known of addresses of code that events of native processes have. */
public final class CodePlaces {
  private final MethodTable methods;
  private final Map<Address, Integer> places = new HashMap<>();

  private record Address(int process, long address) {}

  CodePlaces(MethodTable methods) {
    this.methods = methods;
  }

  /** Takes one more; the last one of an address counts. */
  void add(int process, long address, int method) {
    places.put(new Address(process, address), method);
  }

  /** Takes places. */
  @FunctionalInterface
  public interface Sink {
    /** An address in a process, and its method's number in the recording. */
    void place(int process, long address, int method);
  }

  /** Hands out all places, in no particular order. */
  public void forEach(Sink sink) {
    places.forEach((address, method) -> sink.place(address.process(), address.address(), method));
  }

  /** The function there, its line that of the address; null = nothing is known. */
  public @Nullable TracedMethod get(int process, long address) {
    Integer method = places.get(new Address(process, address));
    return method == null ? null : methods.get(method);
  }
}
