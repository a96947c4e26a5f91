package dev.kymo.cli.query.spark;

import dev.kymo.session.UsageException;
import dev.kymo.session.system.AgentJar;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The files that Spark needs, which are no part of Kymo: directory {@code spark} of the
 * installation has what asks it, and a list of its jars, which lie elsewhere.
 *
 * @param options file with options for Java
 * @param classPath as Java has it
 */
record SparkFiles(Path options, String classPath) {
  private static final String HOME = "SPARK_HOME";

  /**
   * Finds it.
   *
   * @param environment in which {@code SPARK_HOME} may name a Spark that is there already
   * @throws UsageException if it is not there
   */
  static SparkFiles find(Map<String, String> environment) throws IOException {
    Path directory = AgentJar.find().resolveSibling("../spark").normalize();
    Path asker = present(directory.resolve("kymo-spark.jar"));
    Path options = present(directory.resolve("java-options"));
    String home = environment.getOrDefault(HOME, "");
    if (!home.isEmpty()) {
      Path jars = Path.of(home, "jars");
      if (!Files.isDirectory(jars)) {
        throw new UsageException("no Spark is there: %s=%s missing=%s".formatted(HOME, home, jars));
      }
      return new SparkFiles(options, asker + File.pathSeparator + jars + "/*");
    }
    List<String> all = new ArrayList<>(List.of(asker.toString()));
    String list = Files.readString(present(directory.resolve("class-path"))).strip();
    for (String jar : list.split(File.pathSeparator)) {
      all.add(present(Path.of(jar)).toString());
    }
    return new SparkFiles(options, String.join(File.pathSeparator, all));
  }

  private static Path present(Path file) {
    if (!Files.isRegularFile(file)) {
      throw new UsageException(
          "Spark is not installed: missing=%s; 'mvn -q -Dquick -pl optional/spark package' in Kymo's source tree gets it from Maven Central (210 MB, once)"
              .formatted(file));
    }
    return file;
  }
}
