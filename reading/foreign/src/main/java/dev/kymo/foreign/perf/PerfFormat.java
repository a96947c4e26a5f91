package dev.kymo.foreign.perf;

import dev.kymo.foreign.perf.records.PerfData;
import dev.kymo.foreign.perf.records.PerfFeatures;
import dev.kymo.foreign.perf.records.PerfRecord;
import dev.kymo.foreign.perf.records.TimeOrder;
import dev.kymo.foreign.target.ForeignFile;
import dev.kymo.foreign.target.ForeignFormat;
import dev.kymo.foreign.target.Import;
import dev.kymo.foreign.target.Order;
import dev.kymo.foreign.target.Source;
import dev.kymo.foreign.target.Target;
import dev.kymo.format.Clock;
import java.io.IOException;

/** Files of {@code perf record}. */
public final class PerfFormat implements ForeignFormat {
  private static final long NANOS = 1_000_000_000L;

  /** How many records there are between two reports of progress. */
  private static final int PROGRESS = 4096;

  @Override
  public String name() {
    return "perf";
  }

  @Override
  public String title() {
    return "perf.data";
  }

  @Override
  public boolean hasAddresses() {
    return true;
  }

  @Override
  public boolean recognises(ForeignFile file) {
    return PerfData.begins(file.head());
  }

  @Override
  public void convert(ForeignFile file, Import to) throws IOException {
    try (PerfData data = new PerfData(file.path())) {
      TimeOrder records = new TimeOrder(data);
      PerfRecord next = records.next();
      long first = 0;
      PerfFeatures features = data.features();
      Clock clock = new Clock(Clock.MONOTONIC, NANOS, features.wallOffset());
      try (Target target = to.begin(clock, first, source(features, file.name()), Order.ANY)) {
        if (!features.command().isEmpty()) {
          target.notice("recorded by: " + features.command());
        }
        PerfConversion conversion = new PerfConversion(target);
        long count = 0;
        for (; next != null; next = records.next()) {
          conversion.take(next);
          if (++count % PROGRESS == 0) {
            to.progress().at(data.position(), data.size());
          }
        }
        conversion.end();
      }
    }
  }

  private static Source source(PerfFeatures features, String file) {
    return new Source(
        "perf.data",
        file,
        features.host(),
        features.release(),
        features.processor(),
        features.processors());
  }
}
