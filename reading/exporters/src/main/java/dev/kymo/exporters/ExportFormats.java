package dev.kymo.exporters;

import dev.kymo.exporters.chrome.ChromeFormat;
import dev.kymo.exporters.csv.CsvCells;
import dev.kymo.exporters.csv.CsvFormat;
import dev.kymo.exporters.otf2.Otf2Format;
import dev.kymo.exporters.paje.PajeFormat;
import dev.kymo.exporters.perfetto.PerfettoFormat;
import dev.kymo.exporters.source.ExportFormat;
import dev.kymo.exporters.stacks.CollapsedFormat;
import dev.kymo.exporters.stacks.PprofFormat;
import dev.kymo.exporters.stacks.SpeedscopeFormat;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** All formats that recordings can be written in. */
public final class ExportFormats {
  private static final List<ExportFormat> ALL =
      List.of(
          new ChromeFormat(),
          new CollapsedFormat(),
          new SpeedscopeFormat(),
          new PprofFormat(),
          new CsvFormat(CsvCells.PLAIN),
          new PajeFormat(),
          new PerfettoFormat(),
          new Otf2Format(false, null));

  private ExportFormats() {}

  public static List<ExportFormat> all() {
    return ALL;
  }

  public static boolean isExport(Path directory) {
    return CsvFormat.isTables(directory) || Otf2Format.isArchive(directory);
  }

  /** The format that users call so. */
  public static Optional<ExportFormat> named(String name) {
    return ALL.stream().filter(format -> format.name().equals(name)).findFirst();
  }
}
