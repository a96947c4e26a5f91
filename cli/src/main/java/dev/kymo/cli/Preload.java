package dev.kymo.cli;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The native library that a command and all that it runs load before their own. */
final class Preload {
  private static final String VARIABLE = "LD_PRELOAD";
  private static final int ELF = 0x7F454C46;
  private static final int HEADER = 64;
  private static final int CLASS_64 = 2;
  private static final int X86_64 = 62;
  private static final int INTERPRETER = 3;
  private static final int SET_ID = 0xC00;

  /**
   * It has all of libkymo in it, and its name: a program linked with libkymo uses this one, too.
   */
  private static final String THREADS = "libkymo-threads.so";

  private Preload() {}

  /** The library for thread operations; null if it was not built. */
  static @Nullable Path threads() throws IOException {
    Path library = AgentJar.find().resolveSibling("../native").normalize().resolve(THREADS);
    return Files.isRegularFile(library) ? library : null;
  }

  /** Adds a library before those that are preloaded anyway. */
  static void add(Map<String, String> environment, Path library) {
    environment.merge(VARIABLE, library.toString(), (given, ours) -> ours + ":" + given);
  }

  /** Why nothing can be preloaded into a program; null if it can, or only running it will tell. */
  static @Nullable String refusal(Path program) throws IOException {
    Object mode = Files.getAttribute(program, "unix:mode");
    if (mode instanceof Integer bits && (bits & SET_ID) != 0) {
      return "is set-user-id or set-group-id, the system preloads nothing into it";
    }
    try (FileChannel channel = FileChannel.open(program)) {
      ByteBuffer header = read(channel, 0, HEADER);
      if (header.limit() < HEADER || Integer.reverseBytes(header.getInt(0)) != ELF) {
        return null; // a script, or nothing that can be run
      }
      if (header.get(4) != CLASS_64 || header.getShort(18) != X86_64) {
        return "is not built for x86-64";
      }
      return hasInterpreter(channel, header)
          ? null
          : "is statically linked, nothing can be preloaded into it; link it dynamically";
    }
  }

  private static boolean hasInterpreter(FileChannel channel, ByteBuffer header) throws IOException {
    int size = Short.toUnsignedInt(header.getShort(54));
    int count = Short.toUnsignedInt(header.getShort(56));
    ByteBuffer programs = read(channel, header.getLong(32), size * count);
    for (int i = 0; i < count && (i + 1) * size <= programs.limit(); i++) {
      if (programs.getInt(i * size) == INTERPRETER) {
        return true;
      }
    }
    return false;
  }

  private static ByteBuffer read(FileChannel channel, long at, int size) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
    int read = 1;
    while (bytes.hasRemaining() && read > 0) {
      read = channel.read(bytes, at + bytes.position());
    }
    return bytes.flip();
  }
}
