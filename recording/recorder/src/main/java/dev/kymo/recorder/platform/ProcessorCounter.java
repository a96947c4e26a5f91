package dev.kymo.recorder.platform;

import dev.kymo.format.Clock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The counter of this processor, as a clock of recordings. */
public final class ProcessorCounter {
  /**
   * A tick takes at most 2 ns. Reading the counter takes longer, so no call begins and ends in the
   * same tick. ARMv8.6 demands 1 GHz; most processors before it have 24 to 122 MHz.
   */
  private static final long LOWEST_FREQUENCY = 500_000_000L;

  private static final Path CLOCK_SOURCE =
      Path.of("/sys/devices/system/clocksource/clocksource0/current_clocksource");

  private ProcessorCounter() {}

  /** What a recording calls it; empty if this processor has none that is known. */
  public static String name() {
    return name(System.getProperty("os.arch", ""));
  }

  static String name(String architecture) {
    return switch (architecture) {
      case "amd64" -> Clock.TSC;
      case "aarch64" -> Clock.CNTVCT;
      default -> "";
    };
  }

  /**
   * Whether it runs evenly on all processors, as the kernel sees it, and is as fine as calls need.
   *
   * @throws IllegalStateException if this virtual machine cannot read it
   */
  public static boolean isUsable() {
    try {
      String source = Files.readString(CLOCK_SOURCE).trim();
      return switch (name()) {
        case Clock.TSC -> source.equals("tsc") && isInvariant(Path.of("/proc/cpuinfo"));
        case Clock.CNTVCT -> source.equals("arch_sys_counter") && isFine(frequency());
        default -> false;
      };
    } catch (IOException e) {
      return false;
    }
  }

  private static boolean isInvariant(Path information) throws IOException {
    String processor = Files.readString(information);
    return processor.contains(" constant_tsc") && processor.contains(" nonstop_tsc");
  }

  /** Whether a counter of this many ticks per second is fine enough. */
  static boolean isFine(long frequency) {
    return frequency >= LOWEST_FREQUENCY;
  }

  /** What the processor says of itself, ticks per second; only ARM64 does. */
  private static long frequency() {
    return TickClock.read(FastCalls.function(FastCalls.FREQUENCY, 0));
  }
}
