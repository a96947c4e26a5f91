package dev.kymo.e2e.jvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kymo.e2e.kit.Jdk;
import dev.kymo.e2e.kit.Kymo;
import dev.kymo.e2e.kit.Programs;
import dev.kymo.e2e.kit.Recorded;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.spi.ToolProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Programs that make or use an archive of classes do what they do without Kymo. */
class ArchivesTest {
  private static final List<String> PROGRAM = List.of("-cp", "known.jar", "Known");
  private static final String MAKES =
      "kymo: nothing recorded: this run makes an archive of classes, which is to be as without Kymo: option=";
  private static final String REFUSED =
      "kymo: the program runs without its archive of classes, which does not fit an agent: option=";

  @TempDir Path folder;

  /** Archives have no classes from folders. */
  @BeforeEach
  void pack() {
    int exit =
        ToolProvider.findFirst("jar")
            .orElseThrow()
            .run(
                System.out,
                System.err,
                "cf",
                folder.resolve("known.jar").toString(),
                "-C",
                Programs.CLASSES.toString(),
                ".");
    assertThat(exit).isZero();
  }

  @Test
  void aCacheIsMadeAsWithoutKymo() throws Exception {
    Jdk jdk = Jdk.running();
    Kymo.Result plain = plain(jdk, List.of());
    Kymo.Result made = recorded(jdk, List.of("-XX:AOTCacheOutput=made.aot"));
    assertThat(made.exit()).isZero();
    assertThat(made.out()).startsWith(plain.out());
    assertThat(made.err().lines().filter(line -> line.startsWith("kymo: ")))
        .containsExactly(MAKES + "-XX:AOTCacheOutput=made.aot");
    assertThat(folder.resolve("run.kymo")).doesNotExist();
    assertThat(plain(jdk, List.of("-XX:AOTCache=made.aot", "-XX:AOTMode=on"))).isEqualTo(plain);
  }

  @Test
  void aCacheThatDoesNotFitIsLeftOut() throws Exception {
    Jdk jdk = Jdk.running();
    Kymo.Result plain = plain(jdk, List.of());
    assertThat(plain(jdk, List.of("-XX:AOTCacheOutput=plain.aot")).exit()).isZero();
    for (List<String> options :
        List.of(
            List.of("-XX:AOTCache=plain.aot"),
            List.of("-XX:AOTCache=plain.aot", "-XX:AOTMode=on"))) {
      Kymo.Result result = recorded(jdk, options);
      assertThat(result.out()).isEqualTo(plain.out());
      assertThat(result.exit()).isEqualTo(plain.exit());
      assertThat(result.err().lines()).hasSize(1).first().asString().startsWith(REFUSED);
      assertCalls();
    }
  }

  @Test
  void aCacheThatFitsIsUsed() throws Exception {
    Jdk jdk = Jdk.running();
    String module = "--add-modules=java.instrument";
    Kymo.Result plain = plain(jdk, List.of());
    assertThat(plain(jdk, List.of(module, "-XX:AOTCacheOutput=fit.aot")).exit()).isZero();
    Kymo.Result result = recorded(jdk, List.of(module, "-XX:AOTCache=fit.aot", "-XX:AOTMode=on"));
    assertThat(result).isEqualTo(plain);
    assertCalls();
  }

  @Test
  void olderArchives() throws Exception {
    Jdk jdk = Jdk.all().getFirst();
    assumeTrue(jdk.feature() < 21, "skipped: there is no Java 17");
    Kymo.Result plain = plain(jdk, List.of());
    Kymo.Result made = recorded(jdk, List.of("-XX:ArchiveClassesAtExit=made.jsa"));
    assertThat(made.exit()).isZero();
    assertThat(made.out()).startsWith(plain.out());
    assertThat(made.err()).contains(MAKES + "-XX:ArchiveClassesAtExit=made.jsa");
    List<String> use = List.of("-XX:SharedArchiveFile=made.jsa", "-Xshare:on");
    assertThat(plain(jdk, use)).isEqualTo(plain);
    Kymo.Result used = recorded(jdk, use);
    assertThat(used.out()).isEqualTo(plain.out());
    assertThat(used.exit()).isEqualTo(plain.exit());
    assertThat(used.err().lines().filter(line -> !line.startsWith(REFUSED))).isEmpty();
    assertCalls();
  }

  private Kymo.Result plain(Jdk jdk, List<String> options) throws Exception {
    List<String> words = new ArrayList<>(List.of(jdk.java().toString()));
    words.addAll(options);
    words.addAll(PROGRAM);
    return Kymo.exec(folder, words.toArray(String[]::new));
  }

  private Kymo.Result recorded(Jdk jdk, List<String> options) throws Exception {
    Kymo.exec(folder, "rm", "-rf", "run.kymo");
    List<String> words = new ArrayList<>(List.of("record", "-q", "-o", "run.kymo", "--"));
    words.add(jdk.java().toString());
    words.addAll(options);
    words.addAll(PROGRAM);
    return Kymo.runIn(folder, Map.of(), "", words.toArray(String[]::new));
  }

  private void assertCalls() throws Exception {
    try (Recorded recorded = new Recorded(folder.resolve("run.kymo"))) {
      assertThat(recorded.calls("Known.main")).isEqualTo(1);
    }
  }
}
