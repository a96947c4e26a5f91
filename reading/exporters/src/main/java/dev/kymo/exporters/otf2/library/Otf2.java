package dev.kymo.exporters.otf2.library;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.AddressLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/** Finds libopen-trace-format2 when it is needed, and calls it. */
@SuppressWarnings("restricted") // it is C
final class Otf2 {
  static final String LIBRARY = "libopen-trace-format2.so.10";

  static final ValueLayout.OfByte U8 = ValueLayout.JAVA_BYTE;
  static final ValueLayout.OfInt U32 = ValueLayout.JAVA_INT;
  static final ValueLayout.OfLong U64 = ValueLayout.JAVA_LONG;
  static final AddressLayout PTR = ValueLayout.ADDRESS;

  private static final Linker LINKER = Linker.nativeLinker();
  private static final SymbolLookup SYMBOLS = SymbolLookup.libraryLookup(LIBRARY, Arena.global());

  private Otf2() {}

  /**
   * Says what to install if the library is not there.
   *
   * @throws IOException if it is not
   */
  static void require() throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      SymbolLookup.libraryLookup(LIBRARY, arena);
    } catch (IllegalArgumentException e) {
      throw new IOException(
          "OTF2 is written by a library that is not installed: library=%s; on Debian and Ubuntu it is in package libopen-trace-format2-10"
              .formatted(LIBRARY),
          e);
    }
  }

  /** A function that returns an error code, an int. */
  static MethodHandle call(String name, MemoryLayout... arguments) {
    return handle(name, FunctionDescriptor.of(ValueLayout.JAVA_INT, arguments));
  }

  /** A function that returns a pointer. */
  static MethodHandle pointer(String name, MemoryLayout... arguments) {
    return handle(name, FunctionDescriptor.of(PTR, arguments));
  }

  private static MethodHandle handle(String name, FunctionDescriptor descriptor) {
    return LINKER.downcallHandle(SYMBOLS.findOrThrow("OTF2_" + name), descriptor);
  }

  /** What the library calls when a buffer is full: yes, write it. */
  static MemorySegment flushCallback(MethodHandle target, Arena arena) {
    return LINKER.upcallStub(target, FunctionDescriptor.of(U8, PTR, U8, U64, PTR, U8), arena);
  }

  static void check(int code) {
    if (code != 0) {
      throw new UncheckedIOException(
          new IOException("libopen-trace-format2 could not write the archive: code=" + code));
    }
  }

  static MemorySegment check(MemorySegment pointer) {
    if (pointer.address() == 0) {
      throw new UncheckedIOException(
          new IOException("libopen-trace-format2 could not make the archive"));
    }
    return pointer;
  }

  /** No function of the library throws anything. */
  static AssertionError impossible(Throwable thrown) {
    return new AssertionError("a call of C has thrown something", thrown);
  }
}
