package dev.kymo.kernel;

import dev.kymo.format.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * What taking an event costs: read, decode, merge, and a sink that counts. Root only. Arguments:
 * seconds, events as {@link Service#parse} takes them, shell commands that make them, each run for
 * the whole time. Prints a line.
 */
public final class CaptureCost {
  private CaptureCost() {}

  /** Counts, and touches what a real sink would. */
  private static final class Counting implements KernelSink {
    private long events;
    private long bytes;
    private long sum;
    private long lost;

    @Override
    public void event(int cpu, long clock, int event, byte[] page, int offset, int size) {
      events++;
      bytes += size;
      sum += clock ^ event ^ page[offset + 4];
    }

    @Override
    public void lost(int cpu, long from, long to, long count) {
      lost += count;
    }

    @Override
    public void upTo(long clock) {
      sum += clock;
    }
  }

  /** Prints events a second, their size, losses, and nanoseconds of processor time for each. */
  public static void main(String[] arguments) throws Exception {
    int seconds = Integer.parseInt(arguments[0]);
    Counting sink = new Counting();
    List<Process> load = new ArrayList<>();
    Consumer<String> complaints = System.err::println;
    try (KernelCapture capture =
        KernelCapture.open(
            Service.parse(arguments[1]),
            Clock.MONOTONIC,
            System::nanoTime,
            TraceInstance.DEFAULT_BUFFER_KB,
            complaints)) {
      for (int i = 2; i < arguments.length; i++) {
        load.add(
            new ProcessBuilder("sh", "-c", "exec " + arguments[i])
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start());
      }
      long cpuBefore = LibC.threadCpuNanos();
      capture.start();
      long warmUp = LibC.threadCpuNanos() - cpuBefore;
      long begin = System.nanoTime();
      while (System.nanoTime() - begin < seconds * 1_000_000_000L) {
        capture.round(sink);
      }
      capture.finish(sink);
      double took = (System.nanoTime() - begin) / 1e9;
      KernelStatistics s = capture.statistics();
      System.out.printf(
          Locale.ROOT,
          "%.2f M events/s, %.0f bytes each, %d events, lost %d (kernel %d), late %d, rounds %d,"
              + " warm-up %.0f ms, %.1f ns CPU/event, %.2f %% of a CPU (%d)%n",
          sink.events / took / 1e6,
          (double) sink.bytes / Math.max(1, sink.events),
          sink.events,
          sink.lost,
          capture.kernelLost(),
          s.late(),
          s.rounds(),
          warmUp / 1e6,
          (double) s.cpuNanos() / Math.max(1, s.events()),
          s.cpuNanos() / took / 1e7,
          sink.sum & 1);
    } finally {
      for (Process process : load) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
      }
    }
  }
}
