package dev.kymo.cli;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Libraries that the dynamic loader puts before those that a program names itself. */
final class Preload {
  private static final String VARIABLE = "LD_PRELOAD";

  /** Programs built with the address sanitizer else refuse to run when anything is preloaded. */
  private static final String SANITIZER = "ASAN_OPTIONS";

  private static final String NOT_FIRST = "verify_asan_link_order=0";
  private static final Path SELF = Path.of("/proc/self");
  private static final int SET_USER = 04000;
  private static final int SET_GROUP = 02000;
  private static final int ELF = 0x464C457F;
  private static final int SEGMENTS_OFFSET = 32;
  private static final int SEGMENT_SIZE_OFFSET = 54;
  private static final int SEGMENT_COUNT_OFFSET = 56;
  private static final int HEADER_SIZE = 64;
  private static final int INTERPRETER = 3;

  private Preload() {}

  /** Has a program, and those that it starts, find the hooks that it may be built with. */
  static void functions(Path agent, Map<String, String> environment) {
    add("libkymo.so", agent, environment);
  }

  /**
   * Has a program, and those that it starts, find functions that stand before the thread library's.
   * They are in a library with all of libkymo in it, and its name: a program that is linked with
   * libkymo uses that one, too.
   *
   * @return false where it could not be built
   */
  static boolean threads(Path agent, Map<String, String> environment) {
    return add("libkymo-threads.so", agent, environment);
  }

  /** Where libkymo could not be built there is nothing to add. */
  private static boolean add(String library, Path agent, Map<String, String> environment) {
    Path file = agent.resolveSibling("../native").resolve(library).normalize().toAbsolutePath();
    boolean built = Files.isRegularFile(file);
    if (built) {
      environment.merge(VARIABLE, file.toString(), (given, ours) -> ours + ":" + given);
      environment.merge(SANITIZER, NOT_FIRST, (given, ours) -> given + ":" + ours);
    }
    return built;
  }

  /** Why the loader would not do that for a program, as a word about it; null if it would. */
  static @Nullable String obstacle(Path program) {
    try {
      return isOfAnother(program, SET_USER, "uid")
          ? "set-user-id"
          : isOfAnother(program, SET_GROUP, "gid")
              ? "set-group-id"
              : isStatic(program) ? "statically linked" : null;
    } catch (IOException e) {
      return null; // if it cannot be read it can perhaps be run
    }
  }

  /** Whether a program runs as somebody else. */
  private static boolean isOfAnother(Path program, int bit, String whose) throws IOException {
    int mode = (Integer) Files.getAttribute(program, "unix:mode");
    Object owner = Files.getAttribute(program, "unix:" + whose);
    return (mode & bit) != 0 && !owner.equals(Files.getAttribute(SELF, "unix:" + whose));
  }

  private static boolean isStatic(Path program) throws IOException {
    try (FileChannel channel = FileChannel.open(program)) {
      ByteBuffer header = read(channel, 0, HEADER_SIZE);
      if (header.remaining() < HEADER_SIZE || header.getInt(0) != ELF) {
        return false;
      }
      int size = header.getShort(SEGMENT_SIZE_OFFSET) & 0xFFFF;
      int count = header.getShort(SEGMENT_COUNT_OFFSET) & 0xFFFF;
      ByteBuffer segments = read(channel, header.getLong(SEGMENTS_OFFSET), size * count);
      for (int at = 0; at + Integer.BYTES <= segments.remaining(); at += Math.max(1, size)) {
        if (segments.getInt(at) == INTERPRETER) {
          return false;
        }
      }
      return true;
    }
  }

  private static ByteBuffer read(FileChannel channel, long position, int size) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
    if (position >= 0) {
      channel.read(buffer, position);
    }
    return buffer.flip();
  }
}
