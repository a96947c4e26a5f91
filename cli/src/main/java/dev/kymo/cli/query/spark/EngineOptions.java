package dev.kymo.cli.query.spark;

import dev.kymo.session.UsageException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options for the engine that answers a question. */
public final class EngineOptions {
  private static final String HERE = "local[*]";
  private static final String LOOPBACK = "127.0.0.1";
  private static final String DRIVER_HOST = "spark.driver.host";

  /** All of it is on this machine: Spark's local masters, and clusters at its loopback address. */
  private static final Pattern LOCAL =
      Pattern.compile("local(-cluster)?(\\[.*)?|spark://(localhost|127\\.[0-9.]+|\\[::1]):\\d+");

  @Option(
      names = "--engine",
      paramLabel = "duckdb|spark",
      description =
          "What answers (default: ${DEFAULT-VALUE}); spark: the SQL that both have, also about directories"
              + " that 'kymo export --to parquet' made.")
  private Engine engine = Engine.duckdb;

  @Option(
      names = "--master",
      paramLabel = "URL",
      description =
          "For spark: a cluster, spark://HOST:PORT, or processors of this machine, local[N] (default:"
              + " all of them).")
  private @Nullable String master;

  @Option(
      names = "--conf",
      paramLabel = "NAME=VALUE",
      description = "For spark: one of its settings. May be repeated.")
  private Map<String, String> settings = new LinkedHashMap<>();

  enum Engine {
    duckdb,
    spark
  }

  public boolean isSpark() {
    return engine == Engine.spark;
  }

  /** Checks that they fit together. */
  public void check() {
    if (!isSpark() && (master != null || !settings.isEmpty())) {
      throw new UsageException("--master and --conf are for --engine spark");
    }
    if (!LOCAL.matcher(master()).matches() && !settings.containsKey(DRIVER_HOST)) {
      throw new UsageException(
          "workers on other machines have to reach this one: master=%s; --conf %s=ADDRESS says where"
              .formatted(master(), DRIVER_HOST));
    }
  }

  String master() {
    return master == null ? HERE : master;
  }

  Map<String, String> settings() {
    return settings;
  }

  /**
   * Variables for the process that asks: without an address for others it is reached at loopback.
   */
  Map<String, String> environment() {
    return settings.containsKey(DRIVER_HOST) ? Map.of() : Map.of("SPARK_LOCAL_IP", LOOPBACK);
  }
}
