package dev.kymo.symbols;

import java.lang.foreign.AddressLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Shows symbols as programmers write them, by the C++ library of this machine; without that library
 * they stay as they are. Used by one thread.
 */
final class Demangler {
  private static final String LIBRARY = "libstdc++.so.6";
  private static final AddressLayout POINTER = ValueLayout.ADDRESS;
  private static final int MOST_KNOWN = 100_000;
  private static final long LONGEST = 1 << 20;

  private final Map<String, FunctionName> known = new HashMap<>();
  private final @Nullable MethodHandle demangle;
  private final @Nullable MethodHandle free;

  Demangler() {
    this(LIBRARY);
  }

  Demangler(String library) {
    MethodHandle found = null;
    MethodHandle release = null;
    try {
      Linker linker = Linker.nativeLinker();
      SymbolLookup lookup = SymbolLookup.libraryLookup(library, Arena.global());
      found =
          linker.downcallHandle(
              lookup.findOrThrow("__cxa_demangle"),
              FunctionDescriptor.of(POINTER, POINTER, POINTER, POINTER, POINTER));
      release =
          linker.downcallHandle(
              linker.defaultLookup().findOrThrow("free"), FunctionDescriptor.ofVoid(POINTER));
    } catch (IllegalArgumentException | java.util.NoSuchElementException e) {
      found = null; // this machine has no C++
    }
    demangle = found;
    free = release;
  }

  FunctionName of(String symbol) {
    FunctionName name = known.get(symbol);
    if (name == null) {
      name = read(symbol);
      if (known.size() < MOST_KNOWN) {
        known.put(symbol, name);
      }
    }
    return name;
  }

  private FunctionName read(String symbol) {
    String demangled = symbol.startsWith("_Z") ? demangle(symbol) : null;
    if (demangled == null) {
      return new FunctionName(symbol, "");
    }
    return RustName.is(demangled)
        ? new FunctionName(RustName.of(demangled), "")
        : FunctionName.of(demangled);
  }

  private @Nullable String demangle(String symbol) {
    if (demangle == null || free == null) {
      return null;
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment nothing = MemorySegment.NULL;
      MemorySegment text = arena.allocateFrom(symbol);
      MemorySegment result = (MemorySegment) demangle.invokeExact(text, nothing, nothing, nothing);
      if (result.address() == 0) {
        return null;
      }
      String demangled = result.reinterpret(LONGEST).getString(0);
      free.invokeExact(result);
      return demangled;
    } catch (Throwable e) {
      throw new IllegalStateException("cannot call: library=" + LIBRARY, e);
    }
  }
}
