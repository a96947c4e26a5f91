package dev.kymo.exporters.csv;

import dev.kymo.exporters.source.ExportFormat;
import dev.kymo.exporters.source.ExportSource;
import dev.kymo.exporters.source.ExportTrack;
import dev.kymo.exporters.table.Texts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A directory of tables: what happened, in the order of time, and what the numbers in it mean.
 * Times are nanoseconds since the recording's begin; {@code recording.csv} says when that was.
 */
public final class CsvExport implements ExportFormat {
  private final CsvCells cells;

  public CsvExport(CsvCells cells) {
    this.cells = cells;
  }

  @Override
  public String name() {
    return "csv";
  }

  @Override
  public String description() {
    return "a directory of tables: calls, states, waits, events, counters, threads, methods";
  }

  @Override
  public boolean isDirectory() {
    return true;
  }

  public static boolean isTables(Path directory) {
    return Files.isRegularFile(directory.resolve(FactTables.WHOLE))
        && Files.isRegularFile(directory.resolve("calls.csv"));
  }

  @Override
  public String write(ExportSource source, Path to) throws IOException {
    try (Texts texts = new Texts(to.resolve(".texts"));
        CallRows calls = new CallRows(source, to, texts, cells);
        EventRows events = new EventRows(source, to, texts, cells)) {
      for (ExportTrack track : source.tracks()) {
        events.losses(track);
        source.walk(track, calls.sink(track, events));
      }
      String written = calls.write() + ", " + events.write();
      new FactTables(source, to, cells).write();
      return written;
    }
  }
}
