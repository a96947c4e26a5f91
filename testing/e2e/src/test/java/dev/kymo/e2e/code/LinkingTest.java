package dev.kymo.e2e.code;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kymo.e2e.kit.BrokenJar;
import dev.kymo.e2e.kit.Jdk;
import dev.kymo.e2e.kit.Kymo;
import dev.kymo.e2e.kit.Linked;
import dev.kymo.e2e.kit.ListedJars;
import dev.kymo.e2e.kit.WithoutLibrary;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Other people's classes are verified with probes as they are without: woven as usual, which is by
 * C and what is too hard for that by ASM; and woven by ASM alone.
 */
class LinkingTest {
  private static final Path PEERS = Path.of("target/peers").toAbsolutePath();

  /** Small ones, written in several ways: by hand, by a compiler of Groovy's, for old Java. */
  private static final List<String> FEW =
      List.of("jopt-simple", "netty-common", "netty-codec-http2", "jmh-core");

  @TempDir Path folder;

  static List<Jdk> jdks() {
    return Jdk.all().stream().filter(jdk -> jdk.feature() == 17 || jdk.feature() == 25).toList();
  }

  /** The test itself: a class that does not verify is told from one that does. */
  @Test
  void aClassThatDoesNotVerifyIsFound() throws Exception {
    List<String> broken = List.of("broken:" + BrokenJar.in(folder));
    List<String> outcomes = Linked.plain(Jdk.running(), broken, folder).outcomes();
    assertThat(outcomes.getFirst()).startsWith("broken Bad java.lang.VerifyError: ");
    assertThat(outcomes.get(1)).isEqualTo("broken Good linked");
    assertThat(outcomes.get(2)).startsWith("broken BadInterface java.lang.VerifyError: ");
  }

  @ParameterizedTest
  @MethodSource("jdks")
  void ofFewJars(Jdk jdk) throws Exception {
    StringBuilder jars = new StringBuilder("few");
    for (String name : FEW) {
      Path jar = PEERS.resolve(name + ".jar");
      assumeTrue(Files.exists(jar), "skipped: not there, Maven did not fetch it: " + jar);
      jars.append(":").append(jar);
    }
    linkEachWay(jdk, List.of(jars.toString()));
  }

  @Tag("jars")
  @ParameterizedTest
  @MethodSource("jdks")
  void ofManyJars(Jdk jdk) throws Exception {
    List<String> groups = ListedJars.fetch(Files.createDirectory(folder.resolve("maven")));
    assumeTrue(!groups.isEmpty(), "skipped: Maven fetched no jar");
    linkEachWay(jdk, groups);
  }

  private void linkEachWay(Jdk jdk, List<String> groups) throws Exception {
    Linked plain = Linked.plain(jdk, groups, Files.createDirectory(folder.resolve("plain")));
    Linked usual =
        Linked.woven(
            Kymo.command("record"), jdk, groups, Files.createDirectory(folder.resolve("usual")));
    Linked asm =
        Linked.woven(
            WithoutLibrary.command(WithoutLibrary.jar(folder)),
            jdk,
            groups,
            Files.createDirectory(folder.resolve("asm")));
    System.out.println(jdk + " usual: " + usual.figures());
    System.out.println(jdk + " ASM: " + asm.figures());
    List<String> wrong = new ArrayList<>();
    for (Linked woven : List.of(usual, asm)) {
      wrong.addAll(woven.differencesFrom(plain));
      wrong.addAll(woven.silentlyPlain(groups));
    }
    assertThat(wrong).isEmpty();
    // Otherwise another weaver than the one it is about was at work.
    assertThat(usual.count("C")).isGreaterThan(100 * usual.count("ASM"));
    assertThat(asm.count("C")).isZero();
    assertThat(asm.weavers().keySet()).isEqualTo(usual.weavers().keySet());
  }
}
