package dev.kymo.importers.target;

import java.io.IOException;

/** A format of traces of another system. */
public interface ForeignFormat {
  /** Its name on the command line: {@code trace.dat}. */
  String name();

  /** Its name in sentences: {@code trace-cmd's trace.dat}. */
  String title();

  /** Whether a file has this format, told from its contents, never from its name. */
  boolean recognises(ForeignFile file) throws IOException;

  /** Whether its functions are addresses in files, whose names are to be looked up there. */
  default boolean hasAddresses() {
    return false;
  }

  /**
   * Writes everything that is in a file into a recording, in bounded memory.
   *
   * @throws ForeignException if the file is not as the format wants it
   * @throws IOException if it cannot be read or the recording cannot be written
   */
  void convert(ForeignFile file, Import to) throws IOException;
}
