package dev.kymo.exporters;

import dev.kymo.exporters.chrome.ChromeExport;
import dev.kymo.exporters.csv.CsvCells;
import dev.kymo.exporters.csv.CsvExport;
import dev.kymo.exporters.otf2.Otf2Export;
import dev.kymo.exporters.paje.PajeExport;
import dev.kymo.exporters.perfetto.PerfettoExport;
import dev.kymo.exporters.source.ExportFormat;
import dev.kymo.exporters.stacks.CollapsedExport;
import dev.kymo.exporters.stacks.PprofExport;
import dev.kymo.exporters.stacks.SpeedscopeExport;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** All formats that recordings can be written in. */
public final class ExportFormats {
  private static final List<ExportFormat> ALL =
      List.of(
          new ChromeExport(),
          new CollapsedExport(),
          new SpeedscopeExport(),
          new PprofExport(),
          new CsvExport(CsvCells.PLAIN),
          new PajeExport(),
          new PerfettoExport(),
          new Otf2Export(false, null));

  private ExportFormats() {}

  public static List<ExportFormat> all() {
    return ALL;
  }

  public static boolean isExport(Path directory) {
    return CsvExport.isTables(directory) || Otf2Export.isArchive(directory);
  }

  /** The format that users call so. */
  public static Optional<ExportFormat> named(String name) {
    return ALL.stream().filter(format -> format.name().equals(name)).findFirst();
  }
}
