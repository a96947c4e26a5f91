package dev.kymo.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
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
      return size > Integer.BYTES
          && bytes.getInt(0) == ELF
          && (contains(bytes, SHARED) || contains(bytes, STATIC) || contains(bytes, HOOK));
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

  private static boolean contains(MappedByteBuffer bytes, byte[] text) {
    int last = bytes.limit() - text.length;
    for (int at = 0; at <= last; at++) {
      int same = 0;
      while (same < text.length && bytes.get(at + same) == text[same]) {
        same++;
      }
      if (same == text.length) {
        return true;
      }
    }
    return false;
  }
}
