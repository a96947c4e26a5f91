package dev.kymo.spark;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * The recordings and tables that questions will be about, and the cluster that answers.
 *
 * @param master the cluster's address
 * @param unsafe whether they may be more than questions
 * @param settings of Spark, by their names
 * @param recordings names of the recordings whose tables are written for questions
 * @param tables names of these tables
 * @param directories of exported tables, as addresses
 */
record Opening(
    String master,
    boolean unsafe,
    Map<String, String> settings,
    List<String> recordings,
    List<String> tables,
    List<String> directories) {
  private static final String FILE = "opening";

  /** Of how both processes talk; {@code dev.kymo.cli.query.spark.Spark} has it, too. */
  private static final String VERSION = "1";

  static Opening read(Path room) throws IOException {
    Given given = Given.read(room.resolve(FILE));
    if (!given.text("version").equals(VERSION)) {
      throw new IOException(
          "what asks Spark is from another version of Kymo: wanted=%s is=%s; 'mvn -q -Dquick -pl optional/spark package' builds it again"
              .formatted(given.text("version"), VERSION));
    }
    return new Opening(
        given.text("master"),
        given.flag("unsafe"),
        given.map("setting."),
        given.list("recording"),
        given.list("table"),
        given.list("directory"));
  }
}
