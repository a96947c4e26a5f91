package dev.kymo.exporters.perfetto;

import dev.kymo.exporters.bytes.BytesOut;
import dev.kymo.exporters.source.ExportFormat;
import dev.kymo.exporters.source.ExportSource;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Perfetto's protocol buffers: track events with interned names. Nanoseconds since the recording's
 * begin stand where Perfetto has those since the machine was started.
 */
public final class PerfettoExport implements ExportFormat {
  @Override
  public String name() {
    return "perfetto";
  }

  @Override
  public String description() {
    return "protocol buffers of Perfetto, for its viewer and its trace_processor";
  }

  @Override
  public String write(ExportSource source, Path to) throws IOException {
    try (BytesOut out = BytesOut.to(to)) {
      PerfettoTrace trace = new PerfettoTrace(source, out);
      trace.write();
      return "%d calls and states, %d events and counter values, %d wake-ups, %d messages"
          .formatted(
              source.exported().calls(),
              source.exported().events(),
              trace.wakeUps(),
              source.exported().messages());
    }
  }
}
