package dev.kymo.cli.query.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kymo.cli.Kymo;
import dev.kymo.session.UsageException;
import dev.kymo.testkit.SourceTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Spark is no part of Kymo: what is said if it is not there, or cannot be what is wanted. */
class SparkFilesTest {
  private static final String AGENT = "kymo.agent";

  private static final String REMEDY =
      "'mvn -q -Dquick -pl optional/spark package' in Kymo's source tree gets it from Maven Central (210 MB, once)";

  @TempDir Path installation;
  private String before = "";

  @BeforeEach
  void anInstallationWithoutSpark() {
    before = System.getProperty(AGENT, "");
    System.setProperty(AGENT, installation.resolve("agent/kymo-agent.jar").toString());
  }

  @AfterEach
  void asBefore() {
    if (before.isEmpty()) {
      System.clearProperty(AGENT);
    } else {
      System.setProperty(AGENT, before);
    }
  }

  private Path put(String name, String text) throws IOException {
    return Files.writeString(
        Files.createDirectories(installation.resolve("spark")).resolve(name), text);
  }

  private void missing(String file, Map<String, String> environment) {
    assertThatThrownBy(() -> SparkFiles.find(environment))
        .isInstanceOf(UsageException.class)
        .hasMessage("Spark is not installed: missing=%s; %s".formatted(file, REMEDY));
  }

  @Test
  void whatIsMissingIsSaidWithWhatToDo() throws IOException {
    missing(installation + "/spark/kymo-spark.jar", Map.of());
    put("kymo-spark.jar", "");
    put("java-options", "");
    missing(installation + "/spark/class-path", Map.of());
    Path jar = put("one.jar", "");
    put("class-path", jar + ":" + installation + "/two.jar\n");
    missing(installation + "/two.jar", Map.of());
    Files.writeString(installation.resolve("two.jar"), "");
    assertThat(SparkFiles.find(Map.of("SPARK_HOME", "")).classPath())
        .isEqualTo(
            "%1$s/spark/kymo-spark.jar:%1$s/spark/one.jar:%1$s/two.jar".formatted(installation));
  }

  @Test
  void anotherSparkIsTakenIfItIsNamed() throws IOException {
    put("kymo-spark.jar", "");
    put("java-options", "");
    String home = installation.resolve("other").toString();
    assertThatThrownBy(() -> SparkFiles.find(Map.of("SPARK_HOME", home)))
        .isInstanceOf(UsageException.class)
        .hasMessage("no Spark is there: SPARK_HOME=%1$s missing=%1$s/jars".formatted(home));
    Files.createDirectories(Path.of(home, "jars"));
    assertThat(SparkFiles.find(Map.of("SPARK_HOME", home)).classPath())
        .isEqualTo("%s/spark/kymo-spark.jar:%s/jars/*".formatted(installation, home));
  }

  private static void usage(String sentence, Object... arguments) {
    Kymo kymo = Kymo.run(arguments);
    assertThat(kymo.err()).isEqualTo("kymo: " + sentence + "\n");
    assertThat(kymo.out()).isEmpty();
    assertThat(kymo.code()).isEqualTo(2);
  }

  @Test
  void theCommandSaysIt() {
    Path recording = SourceTree.path("corpus").resolve("succeed/1.3/recording");
    usage(
        "Spark is not installed: missing=%s/spark/kymo-spark.jar; %s"
            .formatted(installation, REMEDY),
        "query",
        "--engine",
        "spark",
        recording,
        "SELECT 1");
    usage(
        "--master and --conf are for --engine spark",
        "query",
        "--master",
        "local[2]",
        recording,
        "SELECT 1");
    usage(
        "--tables and --question are for --engine duckdb",
        "query",
        "--engine",
        "spark",
        "--tables",
        recording);
    usage(
        "workers on other machines have to reach this one: master=spark://far:7077; --conf spark.driver.host=ADDRESS says where",
        "query",
        "--engine",
        "spark",
        "--master",
        "spark://far:7077",
        recording,
        "SELECT 1");
    usage(
        "--from, --to and --thread are for recordings, not for exported tables: path=hdfs://host/tables",
        "query",
        "--engine",
        "spark",
        "--from",
        "1s",
        "hdfs://host/tables",
        "SELECT 1");
  }
}
