package dev.kymo.importers.ftracetext;

import dev.kymo.format.Clock;
import dev.kymo.importers.ftracetext.lines.FtraceLine;
import dev.kymo.importers.ftracetext.lines.LineSource;
import dev.kymo.importers.target.ForeignException;
import dev.kymo.importers.target.ForeignFile;
import dev.kymo.importers.target.ForeignFormat;
import dev.kymo.importers.target.Import;
import dev.kymo.importers.target.Order;
import dev.kymo.importers.target.Source;
import dev.kymo.importers.target.Target;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.util.zip.ZipException;

/** Text of ftrace: of the kernel, of trace-cmd report, of atrace, also in HTML or compressed. */
public final class FtraceTextFormat implements ForeignFormat {
  private static final int EVERY = 1 << 14;

  @Override
  public String name() {
    return "ftrace";
  }

  @Override
  public String title() {
    return "text of ftrace";
  }

  @Override
  public boolean recognises(ForeignFile file) {
    String head = file.isDirectory() ? "" : file.headText();
    if (head.indexOf('\0') >= 0 && !head.contains("TRACE:\n")) {
      return false;
    }
    boolean begins = head.startsWith("# tracer: ") || head.contains("\n# tracer: ");
    return begins
        || head.contains("TRACE:\nx")
        || (head.stripLeading().startsWith("<") && head.contains("Android System Trace"))
        || head.lines().limit(200).anyMatch(line -> FtraceLine.parse(line) != null);
  }

  /**
   * What a first reading finds.
   *
   * @param ordered whether no line is of an earlier time than the line before
   */
  private record Extent(long first, int cpus, long events, long bytes, boolean ordered) {}

  @Override
  public void convert(ForeignFile file, Import to) throws IOException {
    Extent extent = extent(file);
    if (extent.events == 0) {
      throw ForeignException.inLine("text has no event", file.path(), 1, "");
    }
    Clock clock = new Clock(Clock.MONOTONIC, 1_000_000_000, 0);
    Source source =
        new Source("ftrace text", file.name(), "unknown", "unknown", "unknown", extent.cpus);
    try (InputStream in = Files.newInputStream(file.path());
        Target target = to.begin(clock, extent.first, source, Order.ANY)) {
      target.kernel("Linux", extent.cpus);
      LineSource lines = new LineSource(in);
      TextEvents events = new TextEvents(target, extent.cpus);
      try {
        for (String line = lines.line(); line != null; line = lines.line()) {
          events.take(line, lines.number(), lines.isCut());
          if ((lines.number() & (EVERY - 1)) == 0) {
            to.progress().at(lines.done(), extent.bytes);
            if (extent.ordered) {
              target.settled(events.last());
            }
          }
        }
      } catch (ZipException e) {
        throw damaged(file, lines, e);
      }
      to.progress().at(extent.bytes, extent.bytes);
    }
  }

  private static ForeignException damaged(ForeignFile file, LineSource lines, IOException e) {
    return ForeignException.inLine(
        "compressed text is damaged",
        file.path(),
        lines.number() + 1,
        "cause=\"" + e.getMessage() + "\"");
  }

  private static Extent extent(ForeignFile file) throws IOException {
    long first = Long.MAX_VALUE;
    long last = 0;
    boolean ordered = true;
    int cpus = 1;
    long events = 0;
    try (InputStream in = Files.newInputStream(file.path())) {
      LineSource lines = new LineSource(in);
      try {
        for (String line = lines.line(); line != null; line = lines.line()) {
          FtraceLine event = FtraceLine.parse(line);
          if (event != null) {
            first = Math.min(first, event.nanos());
            ordered &= event.nanos() >= last;
            last = event.nanos();
            cpus = Math.max(cpus, event.cpu() + 1);
            events++;
          }
        }
      } catch (ZipException | EOFException e) {
        throw damaged(file, lines, e);
      }
      return new Extent(first, cpus, events, lines.done(), ordered);
    }
  }

  /** Gives the events of a text to a recording that holds other events, too. */
  public static void lines(InputStream text, Target target, int cpus) throws IOException {
    LineSource lines = new LineSource(text);
    TextEvents events = new TextEvents(target, cpus);
    for (String line = lines.line(); line != null; line = lines.line()) {
      events.take(line, lines.number(), lines.isCut());
    }
  }
}
