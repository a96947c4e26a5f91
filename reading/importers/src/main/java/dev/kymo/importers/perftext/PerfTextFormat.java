package dev.kymo.importers.perftext;

import dev.kymo.format.Clock;
import dev.kymo.importers.ftracetext.lines.LineSource;
import dev.kymo.importers.perftext.lines.SampleLine;
import dev.kymo.importers.target.ForeignException;
import dev.kymo.importers.target.ForeignFile;
import dev.kymo.importers.target.ForeignFormat;
import dev.kymo.importers.target.Import;
import dev.kymo.importers.target.Order;
import dev.kymo.importers.target.Source;
import dev.kymo.importers.target.Target;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;

/** Text of {@code perf script}. */
public final class PerfTextFormat implements ForeignFormat {
  private static final int EVERY = 1 << 14;

  /** More than any kernel has. */
  private static final int MOST_PROCESSORS = 4096;

  @Override
  public String name() {
    return "perf-script";
  }

  @Override
  public String title() {
    return "text of perf script";
  }

  @Override
  public boolean recognises(ForeignFile file) {
    String head = file.isDirectory() ? "" : file.headText();
    return head.indexOf('\0') < 0
        && head.lines()
            .filter(line -> !line.isBlank() && !line.startsWith("#"))
            .limit(1)
            .map(SampleLine::parse)
            .anyMatch(line -> line != null && line.isSample());
  }

  /** What a first reading finds. */
  private record Extent(long first, int processors, long bytes) {}

  @Override
  public void convert(ForeignFile file, Import to) throws IOException {
    Extent extent = extent(file);
    Clock clock = new Clock(Clock.MONOTONIC, 1_000_000_000, 0);
    Source source =
        new Source(
            "text of perf script", file.name(), "unknown", "unknown", "unknown", extent.processors);
    try (InputStream in = Files.newInputStream(file.path());
        Target target = to.begin(clock, extent.first, source, Order.ANY)) {
      LineSource lines = new LineSource(in);
      PerfTextSamples samples = new PerfTextSamples(target, extent.processors);
      for (String line = lines.line(); line != null; line = lines.line()) {
        samples.take(line, lines.number(), lines.isCut());
        if ((lines.number() & (EVERY - 1)) == 0) {
          to.progress().at(lines.done(), extent.bytes);
        }
      }
      samples.end();
      samples.say();
      to.progress().at(extent.bytes, extent.bytes);
    }
  }

  private static Extent extent(ForeignFile file) throws IOException {
    long first = Long.MAX_VALUE;
    int cpu = 0;
    try (InputStream in = Files.newInputStream(file.path())) {
      LineSource lines = new LineSource(in);
      for (String line = lines.line(); line != null; line = lines.line()) {
        SampleLine sample = SampleLine.parse(line);
        if (sample == null || sample.isRecord()) {
          continue;
        }
        first = Math.min(first, sample.nanos());
        cpu = Math.max(cpu, sample.cpu());
        if (cpu >= MOST_PROCESSORS) {
          throw ForeignException.inLine(
              "processor has a number that no kernel gives",
              file.path(),
              lines.number(),
              "cpu=" + cpu);
        }
      }
      if (first == Long.MAX_VALUE) {
        throw ForeignException.inLine(
            "text has no sample with a thread and a time", file.path(), 1, "");
      }
      return new Extent(first, cpu + 1, lines.done());
    }
  }
}
