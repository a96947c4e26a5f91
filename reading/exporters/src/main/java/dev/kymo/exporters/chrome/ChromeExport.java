package dev.kymo.exporters.chrome;

import dev.kymo.exporters.bytes.BytesOut;
import dev.kymo.exporters.source.ExportFormat;
import dev.kymo.exporters.source.ExportSource;
import java.io.IOException;
import java.nio.file.Path;

/**
 * The JSON object format of Chrome's trace viewer. Each track is a thread of the trace; its calls
 * are pairs of B and E, in the order of time. Times are microseconds with three decimals.
 */
public final class ChromeExport implements ExportFormat {
  @Override
  public String name() {
    return "chrome";
  }

  @Override
  public String description() {
    return "JSON of Chrome's trace viewer, for Perfetto, chrome://tracing and others";
  }

  @Override
  public String write(ExportSource source, Path to) throws IOException {
    try (BytesOut out = BytesOut.to(to)) {
      ChromeTrace trace = new ChromeTrace(source, out);
      trace.write();
      return "%d calls and states, %d events, %d counter values, %d wake-ups, %d messages"
          .formatted(
              source.exported().calls(),
              source.exported().events() - trace.counterValues(),
              trace.counterValues(),
              trace.wakeUps(),
              source.exported().messages());
    }
  }
}
