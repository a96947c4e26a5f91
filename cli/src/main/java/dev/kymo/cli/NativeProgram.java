package dev.kymo.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Whether a program is made to be recorded by libkymo. It decides only about the clock. */
final class NativeProgram {
  /** In the dynamic section of one that is linked with the shared library. */
  private static final byte[] SHARED = "\0libkymo.so\0".getBytes(StandardCharsets.US_ASCII);

  /** In the constants of one that has the static library in it. */
  private static final byte[] STATIC = "\0KYMO_SESSION\0".getBytes(StandardCharsets.US_ASCII);

  /** What a program built with -finstrument-functions calls. */
  private static final byte[] HOOK =
      "\0__cyg_profile_func_enter\0".getBytes(StandardCharsets.US_ASCII);

  /** Libraries that are built without hooks, and start nothing of themselves. */
  private static final Pattern SYSTEM =
      Pattern.compile(
          "(lib(c|m|dl|rt|util|pthread|resolv|anl|gcc_s|stdc\\+\\+|atomic)|ld-linux.*)\\.so\\.\\d+");

  /** What begins other programs, or loads code. */
  private static final Pattern OTHERS =
      Pattern.compile(
          "f?exec(l|le|lp|v|ve|vp|vpe|veat)|posix_spawnp?|system|popen|v?fork|clone|syscall|dlm?open|wordexp");

  private static final int ELF = 0x7F454C46;
  private static final long LARGEST = 1L << 28;

  private NativeProgram() {}

  static boolean isNative(@Nullable Path program) {
    if (program == null) {
      return false;
    }
    try (FileChannel channel = FileChannel.open(program)) {
      long size = Math.min(channel.size(), LARGEST);
      MappedByteBuffer bytes = channel.map(FileChannel.MapMode.READ_ONLY, 0, size);
      return size > Integer.BYTES && bytes.getInt(0) == ELF && containsAny(bytes);
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * Whether libkymo can be of no use to a program: it has no hooks, is linked with nothing but the
   * system's own libraries, and neither starts programs nor loads libraries.
   */
  static boolean isOutOfReach(@Nullable Path program) {
    if (!isMachineCode(program) || isNative(program) || program == null) {
      return false;
    }
    try {
      ElfFile elf = ElfFile.open(program);
      return elf != null
          && elf.is64Bit()
          && elf.hasLoader()
          && !elf.needed().isEmpty()
          && elf.needed().stream().allMatch(name -> SYSTEM.matcher(name).matches())
          && elf.names().stream().noneMatch(name -> OTHERS.matcher(name).matches());
    } catch (IOException e) {
      return false;
    }
  }

  /** Whether it is machine code, and no Java. */
  static boolean isMachineCode(@Nullable Path program) {
    if (program == null || JavaVersion.agentOption(program) != null) {
      return false;
    }
    try (InputStream in = Files.newInputStream(program)) {
      byte[] begin = in.readNBytes(Integer.BYTES);
      return begin.length == Integer.BYTES && ByteBuffer.wrap(begin).getInt() == ELF;
    } catch (IOException e) {
      return false;
    }
  }

  /** Whether any of the texts is in it, which all begin with a zero byte: the file is large. */
  private static boolean containsAny(MappedByteBuffer bytes) {
    for (int at = 0; at < bytes.limit(); at++) {
      if (bytes.get(at) == 0
          && (isAt(bytes, at, SHARED) || isAt(bytes, at, STATIC) || isAt(bytes, at, HOOK))) {
        return true;
      }
    }
    return false;
  }

  private static boolean isAt(MappedByteBuffer bytes, int at, byte[] text) {
    int same = 0;
    while (same < text.length && at + same < bytes.limit() && bytes.get(at + same) == text[same]) {
      same++;
    }
    return same == text.length;
  }
}
