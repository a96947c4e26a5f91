package dev.kymo.query.ask;

import dev.kymo.query.engine.Database;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** What questions have beside the tables. */
final class Macros {
  private static final Pattern FUNCTION =
      Pattern.compile("^-- (.+)\nCREATE MACRO (\\w+\\([^)]*\\)) AS( TABLE)?$", Pattern.MULTILINE);

  /** Of columns that the views add to those of the tables. */
  static final Map<String, String> MEANINGS =
      Map.ofEntries(
          Map.entry("recording", "name of the recording"),
          Map.entry("duration", "ns"),
          Map.entry("corrected", "duration in ns without what probes took; NULL = not known"),
          Map.entry("corrected_self", "the same of self"),
          Map.entry("corrected_within", "ns that these two may be off"),
          Map.entry("at_least", "events were lost meanwhile"),
          Map.entry("begin_unknown", "it began before what was recorded"),
          Map.entry("end_unknown", "its end was not recorded"),
          Map.entry("end_inferred", "it ended when what is around it did"),
          Map.entry("unwound", "an exception ended it"),
          Map.entry("category", "the kind of state"),
          Map.entry("subsystem", "the group of the event"),
          Map.entry("kind", "instant, begin, end, send or receive"),
          Map.entry("name", "its name"));

  private Macros() {}

  /**
   * What the file with them says of one.
   *
   * @param call its name with its parameters
   * @param table whether it stands for a table
   */
  record Function(String call, boolean table, String meaning) {}

  /** Adds them to a data base that has the tables. */
  static void create(Database database) throws SQLException {
    database.run(text());
  }

  /** All of them, in their order. */
  static List<Function> all() {
    return FUNCTION
        .matcher(text())
        .results()
        .map(found -> new Function(found.group(2), found.group(3) != null, found.group(1)))
        .toList();
  }

  private static String text() {
    try (InputStream in = Macros.class.getResourceAsStream("macros.sql")) {
      if (in == null) {
        throw new IllegalStateException("the installation is incomplete: missing=macros.sql");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
