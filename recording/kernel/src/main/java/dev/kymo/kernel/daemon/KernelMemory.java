package dev.kymo.kernel.daemon;

import dev.kymo.kernel.TraceInstance;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The part of the kernel's memory that may be taken for buffers. */
final class KernelMemory {
  private static final int LARGEST_KB = 128 * 1024;
  private static final int LARGEST_OF_ROOT_KB = 1024 * 1024;
  private static final int SMALLEST_KB = 4 * 1024;

  /** The part of the machine's memory for users other than root. */
  private static final int PART = 16;

  private KernelMemory() {}

  /** Kilobytes for each processor, if a client asks for this many. */
  static int bufferKb(int asked, boolean root) {
    return root
        ? Math.clamp(asked, SMALLEST_KB, LARGEST_OF_ROOT_KB)
        : ofUser(asked, totalKb(), processors());
  }

  static int ofUser(int asked, long totalKb, int processors) {
    long part = totalKb / PART / Math.max(1, processors);
    long largest = Math.clamp(part, SMALLEST_KB, LARGEST_KB);
    // Not less than usual: other clients use the same buffers, and enlarging them later loses
    // events.
    return (int)
        Math.clamp((long) asked, Math.min(TraceInstance.DEFAULT_BUFFER_KB, largest), largest);
  }

  private static long totalKb() {
    return lines("/proc/meminfo").stream()
        .filter(line -> line.matches("MemTotal:\\s+\\d{1,15} kB"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
        .findFirst()
        .orElse(0);
  }

  private static int processors() {
    return (int) lines("/proc/stat").stream().filter(line -> line.matches("cpu\\d+ .*")).count();
  }

  private static List<String> lines(String file) {
    try {
      return Files.readAllLines(Path.of(file));
    } catch (IOException e) {
      return List.of(); // then as little as possible
    }
  }
}
