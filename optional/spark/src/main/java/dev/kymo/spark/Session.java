package dev.kymo.spark;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.spark.sql.SparkSession;

/** Spark as Kymo wants it: quiet, on loopback, with all its files in one directory. */
final class Session {
  private static final String LOOPBACK = "127.0.0.1";
  private static final String HOST = "spark.driver.host";
  private static final String CLUSTER = "spark://";

  /** How long workers are waited for silently, and how often they are looked for, milliseconds. */
  private static final long PATIENCE = 20_000;

  private static final long PAUSE = 50;

  private Session() {}

  /**
   * Connects to a cluster.
   *
   * @param room directory for files
   * @throws IOException if it does not let this program in
   */
  static SparkSession open(Opening opening, Path room) throws IOException {
    Map<String, String> settings = new TreeMap<>();
    settings.put("spark.ui.enabled", "false");
    settings.put("spark.ui.showConsoleProgress", "false");
    if (opening.master().startsWith("local")) {
      settings.put(
          "spark.sql.shuffle.partitions", "8"); // the default is for hundreds of processors
    }
    settings.put("spark.local.dir", room.resolve("local").toString());
    settings.put("spark.sql.warehouse.dir", room.resolve("warehouse").toUri().toString());
    settings.put("spark.sql.catalogImplementation", "in-memory");
    settings.put("spark.sql.session.timeZone", "UTC");
    // As DuckDB has it: an overflow is an error, and "x" is a name.
    settings.put("spark.sql.ansi.enabled", "true");
    settings.put("spark.sql.ansi.doubleQuotedIdentifiers", "true");
    settings.put("spark.sql.parquet.inferTimestampNTZ.enabled", "true");
    // A host may be called 7.
    settings.put("spark.sql.sources.partitionColumnTypeInference.enabled", "false");
    settings.put("spark.sql.runSQLOnFiles", Boolean.toString(opening.unsafe()));
    settings.put("spark.sql.scripting.enabled", Boolean.toString(opening.unsafe()));
    settings.put(HOST, LOOPBACK);
    settings.putAll(opening.settings());
    settings.putIfAbsent("spark.driver.bindAddress", String.valueOf(settings.get(HOST)));
    SparkSession.Builder builder =
        SparkSession.builder().master(opening.master()).appName("kymo query");
    settings.forEach(builder::config);
    SparkSession session;
    try {
      session = builder.getOrCreate();
    } catch (Exception e) { // Scala's methods throw any without saying so
      throw new IOException(
          "Spark cannot begin: master=%s error=\"%s\"; a cluster has to be there, with the same version of Spark"
              .formatted(opening.master(), Errors.text(e, Set.of())),
          e);
    }
    if (opening.master().startsWith(CLUSTER)) {
      awaitWorker(session, opening.master());
      if (session.sparkContext().isStopped()) { // Spark itself says so much later, and not why
        throw new IOException(
            "the cluster does not answer: master=%s; it has to be there, with the same version of Spark"
                .formatted(opening.master()));
      }
    }
    return session;
  }

  /** Spark would wait without a word. */
  private static void awaitWorker(SparkSession session, String master) {
    boolean told = false;
    for (long waited = 0; !hasWorker(session); waited += PAUSE) {
      if (!told && waited >= PATIENCE) {
        Driver.say(
            "waiting for a worker: master=%s; it has none with the processor and memory that are asked for (--conf spark.executor.memory=...)"
                .formatted(master));
        told = true;
      }
      try {
        Thread.sleep(PAUSE);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  /** Of the executors that Spark knows the first one is this process. */
  private static boolean hasWorker(SparkSession session) {
    return session.sparkContext().isStopped()
        || session.sparkContext().statusTracker().getExecutorInfos().length > 1;
  }
}
