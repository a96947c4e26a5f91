package dev.kymo.importers.ctf.json;

import dev.kymo.importers.target.ForeignException;
import java.nio.file.Path;

/**
 * Says where in the metadata something is wrong.
 *
 * @param line where the object begins
 */
record Problems(Path path, int line) {
  ForeignException of(String problem, String facts) {
    return ForeignException.inLine(problem, path, line, facts);
  }
}
