package dev.kymo.instructions;

import java.lang.foreign.AddressLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import org.jspecify.annotations.Nullable;

/**
 * Shows instructions as text, in AT&amp;T's syntax, by the library that QEMU uses; without that
 * library there is no text. Used by one thread.
 */
final class Disassembler implements AutoCloseable {
  private static final String LIBRARY = "libcapstone.so.4";
  private static final int X86 = 3;
  private static final int MODE_64 = 1 << 3;
  private static final int OPTION_SYNTAX = 1;
  private static final long ATT = 2;

  // struct cs_insn of version 4
  private static final int MNEMONIC = 34;
  private static final int MNEMONIC_SIZE = 32;
  private static final int OPERANDS = MNEMONIC + MNEMONIC_SIZE;
  private static final int OPERANDS_SIZE = 160;
  private static final int SIZE = OPERANDS + OPERANDS_SIZE;

  private static final AddressLayout POINTER = ValueLayout.ADDRESS;
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
  private static final int MAX_INSTRUCTION = 16;

  private final Arena arena = Arena.ofConfined();
  private final MemorySegment code = arena.allocate(MAX_INSTRUCTION);
  private final MemorySegment result = arena.allocate(POINTER);
  private final @Nullable MethodHandle disassemble;
  private final @Nullable MethodHandle free;
  private long handle;

  Disassembler() {
    MethodHandle found = null;
    MethodHandle release = null;
    try {
      Linker linker = Linker.nativeLinker();
      SymbolLookup lookup = SymbolLookup.libraryLookup(LIBRARY, Arena.global());
      MethodHandle open =
          linker.downcallHandle(
              lookup.findOrThrow("cs_open"), FunctionDescriptor.of(INT, INT, INT, POINTER));
      MethodHandle option =
          linker.downcallHandle(
              lookup.findOrThrow("cs_option"), FunctionDescriptor.of(INT, LONG, INT, LONG));
      MemorySegment opened = arena.allocate(LONG);
      int error = (int) open.invokeExact(X86, MODE_64, opened);
      handle = error == 0 ? opened.get(LONG, 0) : 0;
      if (handle != 0) {
        error = (int) option.invokeExact(handle, OPTION_SYNTAX, ATT);
        found =
            linker.downcallHandle(
                lookup.findOrThrow("cs_disasm"),
                FunctionDescriptor.of(LONG, LONG, POINTER, LONG, LONG, LONG, POINTER));
        release =
            linker.downcallHandle(
                lookup.findOrThrow("cs_free"), FunctionDescriptor.ofVoid(POINTER, LONG));
      }
    } catch (Throwable e) {
      found = null; // this machine has no such library
    }
    disassemble = found;
    free = release;
  }

  /** Whether there is a library. */
  boolean isThere() {
    return disassemble != null;
  }

  /** An instruction's text, or nothing. */
  String text(byte[] bytes, int from, int size, long address) {
    if (disassemble == null || free == null || size > MAX_INSTRUCTION) {
      return "";
    }
    MemorySegment.copy(bytes, from, code, ValueLayout.JAVA_BYTE, 0, size);
    try {
      long count = (long) disassemble.invokeExact(handle, code, (long) size, address, 1L, result);
      if (count == 0) {
        return "";
      }
      MemorySegment instruction = result.get(POINTER, 0).reinterpret(SIZE);
      String mnemonic = instruction.asSlice(MNEMONIC, MNEMONIC_SIZE).getString(0);
      String operands = instruction.asSlice(OPERANDS, OPERANDS_SIZE).getString(0);
      free.invokeExact(result.get(POINTER, 0), count);
      return operands.isEmpty() ? mnemonic : mnemonic + " " + operands;
    } catch (Throwable e) {
      throw new IllegalStateException("libcapstone failed", e);
    }
  }

  @Override
  public void close() {
    arena.close();
  }
}
