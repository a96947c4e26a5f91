package dev.kymo.model.definitions;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Locations of the addresses of code in events of native processes. */
public final class CodeLocations {
  private final MethodTable methods;
  private final Map<Address, Integer> places = new HashMap<>();

  private record Address(int process, long address) {}

  CodeLocations(MethodTable methods) {
    this.methods = methods;
  }

  /** Adds a location; the last one of an address counts. */
  void add(int process, long address, int method) {
    places.put(new Address(process, address), method);
  }

  /** Takes locations. */
  @FunctionalInterface
  public interface Sink {
    /** An address in a process, and its method's number in the recording. */
    void place(int process, long address, int method);
  }

  /** Hands out all locations, in no particular order. */
  public void forEach(Sink sink) {
    places.forEach((address, method) -> sink.place(address.process(), address.address(), method));
  }

  /** The function at an address, with the line of the address; null = unknown. */
  public @Nullable TracedMethod get(int process, long address) {
    Integer method = places.get(new Address(process, address));
    return method == null ? null : methods.get(method);
  }
}
