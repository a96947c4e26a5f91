package dev.kymo.importers.jfr;

import dev.kymo.format.Clock;
import dev.kymo.importers.jfr.reader.JfrReader;
import dev.kymo.importers.target.ForeignFile;
import dev.kymo.importers.target.ForeignFormat;
import dev.kymo.importers.target.Import;
import dev.kymo.importers.target.Order;
import dev.kymo.importers.target.Source;
import dev.kymo.importers.target.Target;
import java.io.IOException;

/** Recordings of the JDK's Flight Recorder, versions 1 and 2. */
public final class JfrFormat implements ForeignFormat {
  /** Times are nanoseconds since 1970: the file says when that is on its own clock. */
  private static final Clock CLOCK = new Clock(Clock.MONOTONIC, 1_000_000_000, 0);

  public JfrFormat() {}

  @Override
  public String name() {
    return "jfr";
  }

  @Override
  public String title() {
    return "JDK Flight Recorder";
  }

  @Override
  public boolean recognises(ForeignFile file) {
    return file.beginsWith("FLR\0");
  }

  @Override
  public void convert(ForeignFile file, Import to) throws IOException {
    try (JfrReader reader = JfrReader.open(file.path())) {
      long first = Math.max(0, reader.first());
      Source source = Source.unknown(title(), file.name());
      try (Target target = to.begin(CLOCK, first, source, Order.ANY)) {
        if (reader.whole() < reader.size()) {
          target.notice(
              "the file ends within a chunk, whose events are missing: file=%s offset=%d bytes=%d"
                  .formatted(file.name(), reader.whole(), reader.size() - reader.whole()));
        }
        reader.read(new Mapping(target, to.progress(), reader.size()));
      }
    }
  }
}
