package dev.kymo.importers;

import dev.kymo.importers.chrome.ChromeFormat;
import dev.kymo.importers.ctf.CtfFormat;
import dev.kymo.importers.ftracetext.FtraceTextFormat;
import dev.kymo.importers.jfr.JfrFormat;
import dev.kymo.importers.otf2.Otf2Format;
import dev.kymo.importers.paje.PajeFormat;
import dev.kymo.importers.perf.PerfFormat;
import dev.kymo.importers.perfetto.PerfettoFormat;
import dev.kymo.importers.perftext.PerfTextFormat;
import dev.kymo.importers.target.ForeignFile;
import dev.kymo.importers.target.ForeignFormat;
import dev.kymo.importers.tracedat.TraceDatFormat;
import dev.kymo.importers.uftrace.UftraceFormat;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** All formats that can be imported. */
public final class ForeignFormats {
  /** What is told most surely comes first. */
  private static final List<ForeignFormat> ALL =
      List.of(
          new CtfFormat(),
          new TraceDatFormat(),
          new PerfFormat(),
          new JfrFormat(),
          new UftraceFormat(),
          new Otf2Format(),
          new PerfettoFormat(),
          new PajeFormat(),
          new ChromeFormat(),
          new PerfTextFormat(),
          new FtraceTextFormat());

  private ForeignFormats() {}

  public static List<ForeignFormat> all() {
    return ALL;
  }

  /** The format that a file has; empty if it has none of them. */
  public static Optional<ForeignFormat> of(ForeignFile file) throws IOException {
    for (ForeignFormat format : ALL) {
      if (format.recognises(file)) {
        return Optional.of(format);
      }
    }
    return Optional.empty();
  }

  public static Optional<ForeignFormat> named(String name) {
    return ALL.stream().filter(format -> format.name().equals(name)).findFirst();
  }
}
