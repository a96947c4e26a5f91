package dev.kymo.session.system;

import dev.kymo.recorder.platform.ProcFiles;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The times that the parts of a command's run take; printed at its end with {@code --timings}. */
public final class Timings {
  private static final double NANOS_PER_MILLI = 1e6;
  private static final long NANOS_PER_TICK = 10_000_000;

  private static final List<Part> PARTS = new ArrayList<>();

  private record Part(String name, long end) {}

  private Timings() {}

  public static synchronized void end(String part) {
    PARTS.add(new Part(part, System.nanoTime()));
  }

  /** A line for each part so far; the first one begins with the virtual machine. */
  public static synchronized List<String> lines() {
    List<String> lines = new ArrayList<>();
    // In hundredths of a second since the machine began, as nanoTime counts, too.
    long begin = ProcFiles.startTime("self") * NANOS_PER_TICK;
    for (Part part : PARTS) {
      double millis = (part.end - begin) / NANOS_PER_MILLI;
      lines.add(String.format(Locale.ROOT, "%8.1f ms  %s", millis, part.name));
      begin = part.end;
    }
    return lines;
  }
}
