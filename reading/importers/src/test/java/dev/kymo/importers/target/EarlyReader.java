package dev.kymo.importers.target;

import java.io.IOException;
import java.nio.file.Path;

/** Hears what could be seen of an import before the whole file was read. */
public final class EarlyReader implements ImportProgress, Watcher {
  private boolean read;
  private int early;
  private int ends;

  private EarlyReader() {}

  /** Imports a file; returns how often there was more to be seen before all of it was read. */
  public static int of(ForeignFormat format, Path file, Path recording) throws IOException {
    EarlyReader reader = new EarlyReader();
    format.convert(ForeignFile.of(file), new Import(recording, reader, reader));
    if (reader.ends != 1) {
      throw new IllegalStateException("the end was told " + reader.ends + " times");
    }
    return reader.early;
  }

  @Override
  public void at(long done, long all) {
    read |= done == all;
  }

  @Override
  public void grown(boolean all) {
    if (all) {
      ends++;
    } else if (!read) {
      early++;
    }
  }
}
