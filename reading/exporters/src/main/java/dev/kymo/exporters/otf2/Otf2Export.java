package dev.kymo.exporters.otf2;

import dev.kymo.analysis.names.Categories;
import dev.kymo.exporters.otf2.library.Otf2Archive;
import dev.kymo.exporters.source.ExportFormat;
import dev.kymo.exporters.source.ExportSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * An OTF2 archive, which libopen-trace-format2 writes. Locations are threads, and their states; or,
 * if asked for, processors with the threads that ran there.
 */
public final class Otf2Export implements ExportFormat {
  private final boolean byCpu;
  private final @Nullable Categories categories;

  /**
   * A way to write archives.
   *
   * @param byCpu locations are processors, otherwise threads
   * @param categories by which functions are grouped, if they are
   */
  public Otf2Export(boolean byCpu, @Nullable Categories categories) {
    this.byCpu = byCpu;
    this.categories = categories;
  }

  @Override
  public String name() {
    return "otf2";
  }

  @Override
  public String description() {
    return "archive of OTF2, a directory, for Vampir, otf2-print and others";
  }

  @Override
  public boolean isDirectory() {
    return true;
  }

  public static boolean isArchive(Path directory) {
    return Files.isRegularFile(directory.resolve(Otf2Archive.NAME + ".otf2"));
  }

  @Override
  public String write(ExportSource source, Path to) throws IOException {
    Otf2Trace trace = new Otf2Trace(source, byCpu, categories);
    try (Otf2Archive archive = new Otf2Archive(to)) {
      trace.write(archive);
    }
    return trace.summary();
  }
}
