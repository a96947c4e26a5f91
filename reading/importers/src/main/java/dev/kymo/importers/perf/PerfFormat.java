package dev.kymo.importers.perf;

import dev.kymo.format.Clock;
import dev.kymo.importers.perf.records.PerfData;
import dev.kymo.importers.perf.records.PerfFeatures;
import dev.kymo.importers.perf.records.PerfRecord;
import dev.kymo.importers.perf.records.TimeOrder;
import dev.kymo.importers.target.ForeignFile;
import dev.kymo.importers.target.ForeignFormat;
import dev.kymo.importers.target.Import;
import dev.kymo.importers.target.Order;
import dev.kymo.importers.target.Source;
import dev.kymo.importers.target.Target;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Files of {@code perf record}. */
public final class PerfFormat implements ForeignFormat {
  private static final long NANOS = 1_000_000_000L;

  /** How many records there are between two reports of progress. */
  private static final int PROGRESS = 4096;

  /** Records without a time, which are of what was there when perf began. */
  private static final int MOST_BEFORE = 1 << 17;

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
      List<PerfRecord> before = new ArrayList<>();
      PerfRecord next = records.next();
      while (next != null && !isTimed(next) && before.size() < MOST_BEFORE) {
        before.add(next);
        next = records.next();
      }
      long first = next == null ? 0 : Math.max(0, next.time());
      PerfFeatures features = data.features();
      Clock clock = new Clock(Clock.MONOTONIC, NANOS, features.wallOffset());
      try (Target target = to.begin(clock, first, source(features, file.name()), Order.ANY)) {
        if (!features.command().isEmpty()) {
          target.notice("recorded by: " + target.redaction().of(features.command()));
        }
        PerfKernel kernel = new PerfKernel(target, data, first);
        PerfConversion conversion = new PerfConversion(target, features, kernel);
        for (PerfRecord record : before) {
          conversion.take(record);
        }
        long count = 0;
        for (; next != null; next = records.next()) {
          conversion.take(next);
          if (++count % PROGRESS == 0) {
            to.progress().at(data.position(), data.size());
          }
          target.settled(records.settled());
        }
        conversion.end();
      }
    }
  }

  private static boolean isTimed(PerfRecord record) {
    return record instanceof PerfRecord.Sample || record.time() > 0;
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
