package dev.kymo.spark;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A question.
 *
 * @param sql as it was asked
 * @param rows how many rows of the answer are wanted at most
 * @param tables that were written because it names them
 */
record Request(String sql, long rows, List<Written> tables) {
  private static final String FILE = "request";

  /**
   * A table as one file.
   *
   * @param group what it is a part of; empty for most tables
   * @param file its address
   */
  record Written(String group, String name, String file) {}

  static Request read(Path room) throws IOException {
    Given given = Given.read(room.resolve(FILE));
    List<String> groups = given.list("table.group");
    List<String> names = given.list("table.name");
    List<String> files = given.list("table.file");
    List<Written> tables = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      tables.add(new Written(groups.get(i), names.get(i), files.get(i)));
    }
    return new Request(given.text("sql"), Long.parseLong(given.text("rows")), tables);
  }
}
