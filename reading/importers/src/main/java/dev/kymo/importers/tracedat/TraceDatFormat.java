package dev.kymo.importers.tracedat;

import dev.kymo.format.Clock;
import dev.kymo.importers.target.ForeignFile;
import dev.kymo.importers.target.ForeignFormat;
import dev.kymo.importers.target.Import;
import dev.kymo.importers.target.Order;
import dev.kymo.importers.target.Source;
import dev.kymo.importers.target.Target;
import dev.kymo.importers.tracedat.file.TraceFile;
import dev.kymo.importers.tracedat.file.TraceMetadata;
import java.io.IOException;

/** The files of trace-cmd, versions 6 and 7. */
public final class TraceDatFormat implements ForeignFormat {
  private static final String MAGIC = "\u0017\bDtracing";

  @Override
  public String name() {
    return "trace.dat";
  }

  @Override
  public String title() {
    return "trace-cmd's trace.dat";
  }

  @Override
  public boolean recognises(ForeignFile file) {
    return file.beginsWith(MAGIC);
  }

  @Override
  public void convert(ForeignFile file, Import to) throws IOException {
    try (TraceFile trace = TraceFile.open(file.path())) {
      TraceMetadata data = trace.data();
      Clock clock = new Clock(Clock.MONOTONIC, 1_000_000_000, data.wallOffset());
      try (Target target = to.begin(clock, trace.first(), source(file, data), Order.BY_TIME)) {
        new TraceEvents(trace, target).convert(to.progress());
      }
    }
  }

  private static Source source(ForeignFile file, TraceMetadata data) {
    String[] uname = data.fact("uname").split(" ", -1);
    return new Source(
        "trace.dat " + data.version(),
        file.name(),
        uname.length > 1 ? uname[1] : "unknown",
        uname.length > 2 ? uname[0] + " " + uname[2] : "unknown",
        uname.length > 3 ? uname[uname.length - 1] : "unknown",
        data.processors());
  }
}
