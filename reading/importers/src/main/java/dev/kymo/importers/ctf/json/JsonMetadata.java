package dev.kymo.importers.ctf.json;

import dev.kymo.importers.ctf.metadata.MetadataFile;
import dev.kymo.importers.ctf.type.TraceClass;
import dev.kymo.importers.target.ForeignException;
import java.util.Map;

/** Reads the metadata of CTF 2: JSON objects, each with a record separator before it. */
public final class JsonMetadata {
  private static final char SEPARATOR = '\u001E';

  private JsonMetadata() {}

  /** Whether metadata is CTF 2's. */
  public static boolean is(MetadataFile file) {
    String text = file.text().stripLeading();
    return text.startsWith("{") || text.indexOf(SEPARATOR) == 0;
  }

  /**
   * Reads a trace's metadata.
   *
   * @throws ForeignException if it is not as the specification wants it
   */
  public static TraceClass read(MetadataFile file) throws ForeignException {
    Fragments fragments = new Fragments(file);
    String text = file.text();
    int line = 1;
    boolean first = true;
    for (String part : text.split(String.valueOf(SEPARATOR), -1)) {
      if (!part.isBlank()) {
        Problems problems = new Problems(file.path(), line);
        Map<String, Object> fragment = Json.object(part, problems);
        fragments.add(new Item(fragment, problems), first);
        first = false;
      }
      line += (int) part.chars().filter(c -> c == '\n').count();
    }
    return fragments.trace();
  }
}
