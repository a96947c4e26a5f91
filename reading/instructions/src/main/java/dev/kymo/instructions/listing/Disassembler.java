package dev.kymo.instructions.listing;

import dev.kymo.instructions.trace.Blocks;
import java.lang.foreign.AddressLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
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
  private static final int SIZE_OF = 240;
  private static final int BYTES = 16;

  private static final AddressLayout POINTER = ValueLayout.ADDRESS;
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
  private static final byte[] NOTHING = {};
  private static final int MAX_CODE = 1 << 14;

  private final Arena arena = Arena.ofShared(); // made by one thread, used by another
  private final MemorySegment code = arena.allocate(MAX_CODE);
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

  /** The texts of a block's instructions; empty ones where there is none. */
  String[] texts(Blocks blocks, int block) {
    String[] texts = new String[blocks.instructions(block)];
    Arrays.fill(texts, "");
    byte[] bytes = blocks.code(block);
    if (bytes.length > MAX_CODE) {
      return texts;
    }
    MemorySegment.copy(bytes, 0, code, ValueLayout.JAVA_BYTE, 0, bytes.length);
    int at = 0;
    int next = 0;
    while (next < texts.length) {
      int left = texts.length - next;
      byte[] found = disassemble(at, bytes.length - at, blocks.address(block) + at, left);
      int before = next;
      for (int i = 0; i * SIZE_OF < found.length; i++) {
        int length = blocks.length(block, next);
        if (length != size(found, i * SIZE_OF)) {
          break; // it is taken by itself
        }
        texts[next++] = text(found, i * SIZE_OF);
        at += length;
      }
      if (next == before) {
        int length = blocks.length(block, next);
        byte[] single = disassemble(at, length, blocks.address(block) + at, 1);
        texts[next++] = single.length == 0 ? "" : text(single, 0);
        at += length;
      }
    }
    return texts;
  }

  /** At most so many instructions; what the library says of them. */
  private byte[] disassemble(int from, int size, long address, int most) {
    if (disassemble == null || free == null) {
      return NOTHING;
    }
    try {
      long count =
          (long)
              disassemble.invokeExact(
                  handle, code.asSlice(from, size), (long) size, address, (long) most, result);
      if (count == 0) {
        return NOTHING;
      }
      MemorySegment instructions = result.get(POINTER, 0);
      byte[] found = instructions.reinterpret(count * SIZE_OF).toArray(ValueLayout.JAVA_BYTE);
      free.invokeExact(instructions, count);
      return found;
    } catch (Throwable e) {
      throw new IllegalStateException("libcapstone failed", e);
    }
  }

  private static int size(byte[] found, int at) {
    return (found[at + BYTES] & 0xFF) | (found[at + BYTES + 1] & 0xFF) << 8;
  }

  private static String text(byte[] found, int at) {
    String mnemonic = text(found, at + MNEMONIC, MNEMONIC_SIZE);
    String operands = text(found, at + OPERANDS, OPERANDS_SIZE);
    return operands.isEmpty() ? mnemonic : mnemonic + " " + operands;
  }

  private static String text(byte[] found, int from, int most) {
    int length = 0;
    while (length < most && found[from + length] != 0) {
      length++;
    }
    return new String(found, from, length, StandardCharsets.ISO_8859_1);
  }

  @Override
  public void close() {
    arena.close();
  }
}
