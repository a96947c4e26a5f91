package dev.kymo.e2e.delivery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kymo.e2e.kit.Jdk;
import dev.kymo.e2e.kit.Kymo;
import dev.kymo.testkit.SourceTree;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Third-party programs give their known answers while they are recorded, with balanced calls;
 * babeltrace2 counts the same as kymo.
 */
@Tag("peer")
@Tag("peers")
class PeersTest {
  private static final Path PEERS = Path.of("target/peers").toAbsolutePath();
  private static final Pattern EVENTS = Pattern.compile("\"events\" : (\\d+)");
  private static final Pattern COUNTED = Pattern.compile("(\\d+) Event messages");

  @TempDir Path folder;

  static List<Jdk> jdks() {
    return Jdk.all();
  }

  @ParameterizedTest
  @MethodSource("jdks")
  void h2(Jdk jdk) throws Exception {
    Path script = folder.resolve("query.sql");
    Files.writeString(
        script,
        """
        create table t(id int primary key, v varchar) as select x, 'row'||x from system_range(1,300000);
        create index tv on t(v);
        select count(*), sum(id) from t where v like 'row1%';
        """);
    // All of H2 is half a thousand million events: measured by bench/peers, not with every build.
    Kymo.Result result =
        record(
            jdk,
            List.of(
                "--include",
                "org.h2.command",
                "--include",
                "org.h2.index",
                "--include",
                "org.h2.mvstore.tx"),
            jdk.java(),
            "-cp",
            PEERS.resolve("h2.jar").toString(),
            "org.h2.tools.RunScript",
            "-url",
            "jdbc:h2:mem:",
            "-script",
            script.toString(),
            "-showResults");
    assertThat(result.out()).contains("111111 15151459596");
    assertBalanced(1_000_000);
  }

  @ParameterizedTest
  @MethodSource("jdks")
  void jruby(Jdk jdk) throws Exception {
    Path script = folder.resolve("threads.rb");
    Files.writeString(
        script,
        """
        queue = Queue.new
        lock = Mutex.new
        sum = 0
        4.times.map { |i| Thread.new { 500.times { |k| queue << i * 500 + k } } }.each(&:join)
        4.times.map { Thread.new { 500.times { v = queue.pop; lock.synchronize { sum += v } } } }.each(&:join)
        puts sum
        """);
    Kymo.Result result =
        record(
            jdk,
            List.of(),
            jdk.java(),
            "-jar",
            PEERS.resolve("jruby-complete.jar").toString(),
            script.toString());
    assertThat(result.out()).isEqualTo("1999000\n");
    assertBalanced(100_000);
  }

  @ParameterizedTest
  @MethodSource("jdks")
  void javac(Jdk jdk) throws Exception {
    Path classes = folder.resolve("classes");
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "-proc:none",
                "-d",
                classes.toString(),
                "-cp",
                PEERS.resolve("jspecify.jar").toString()));
    try (Stream<Path> sources = Files.walk(SourceTree.path("format/format/src/main/java"))) {
      sources
          .map(Path::toString)
          .filter(name -> name.endsWith(".java") && !name.endsWith("module-info.java"))
          .forEach(arguments::add);
    }
    Kymo.Result result =
        record(
            jdk,
            List.of("--include", "com.sun.tools.javac"),
            jdk.home().resolve("bin/javac"),
            arguments.toArray(String[]::new));
    assertThat(result.out()).isEmpty();
    assertThat(classes.resolve("dev/kymo/format/PacketLayout.class")).isRegularFile();
    assertBalanced(1_000_000);
  }

  private Kymo.Result record(Jdk jdk, List<String> options, Path program, String... arguments)
      throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of(
                "record", "-q", "--strict", "--when-full", "block", "-o", recording().toString()));
    command.addAll(options);
    command.addAll(List.of("--", program.toString()));
    command.addAll(List.of(arguments));
    Kymo.Result result = Kymo.run(command.toArray(String[]::new));
    assertThat(result.exit()).as("%s: %s", jdk, result.err()).isZero();
    return result;
  }

  private Path recording() {
    return folder.resolve("run.kymo");
  }

  private void assertBalanced(long atLeast) throws Exception {
    String info = Kymo.run("info", "--json", recording().toString()).out();
    assertThat(info)
        .contains("\"lost\" : 0")
        .contains("\"unmatchedLeaves\" : 0")
        .contains("\"missingLeaves\" : 0")
        .contains("\"oddityCount\" : 0");
    long events = number(EVENTS, info);
    assertThat(events).isGreaterThan(atLeast);
    assumeTrue(
        Files.isExecutable(Path.of("/usr/bin/babeltrace2")),
        "skipped: babeltrace2 is not installed, it was not asked to count");
    String counted =
        Kymo.exec(
                folder,
                "babeltrace2",
                recording().toString(),
                "-c",
                "sink.utils.counter",
                "--params",
                "step=+0")
            .out();
    assertThat(number(COUNTED, counted)).isEqualTo(events);
  }

  private static long number(Pattern pattern, String text) {
    Matcher matcher = pattern.matcher(text);
    assertThat(matcher.find()).as(text).isTrue();
    return Long.parseLong(matcher.group(1));
  }
}
