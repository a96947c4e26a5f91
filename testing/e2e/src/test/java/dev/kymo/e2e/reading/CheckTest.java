package dev.kymo.e2e.reading;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.e2e.kit.Jdk;
import dev.kymo.e2e.kit.Kymo;
import dev.kymo.e2e.kit.Programs;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/** Rules about a real recording, of a program that sleeps once for at least 150 ms. */
class CheckTest {
  private static final String KEPT = "calls of SelfTimes.sleeps at most 1";
  private static final String BROKEN = "no call of SelfTimes.sleeps over 100 ms";

  @TempDir static Path folder;
  private static String recording = "";

  @BeforeAll
  static void record() throws Exception {
    recording = folder.resolve("run.kymo").toString();
    Kymo.Result result =
        Kymo.run(
            "record",
            "-q",
            "--when-full",
            "block",
            "-o",
            recording,
            "--",
            Jdk.running().java().toString(),
            "-cp",
            Programs.CLASSES.toString(),
            "SelfTimes");
    assertThat(result.exit()).as(result.err()).isZero();
  }

  private static Kymo.Result check(String rules) throws Exception {
    Path file = Files.writeString(folder.resolve("my.rules"), rules);
    return Kymo.run("check", recording, file.toString(), "--junit", junit().toString());
  }

  private static Path junit() {
    return folder.resolve("kymo.xml");
  }

  @Test
  void rulesThatAreKept() throws Exception {
    Kymo.Result result = check("no loss\n" + KEPT + "\n");
    assertThat(result.err()).isEmpty();
    assertThat(result.exit()).isZero();
    assertThat(result.out())
        .matches("ok +no loss\nok +%s: 1 calls?\n%s".formatted(KEPT, sum(2, 0)));
    Element suite = suite();
    assertThat(suite.getAttribute("tests")).isEqualTo("2");
    assertThat(suite.getAttribute("failures")).isEqualTo("0");
  }

  @Test
  void aRuleThatIsBroken() throws Exception {
    Kymo.Result result = check(KEPT + "\n" + BROKEN + "\n");
    assertThat(result.err()).isEmpty();
    assertThat(result.exit()).isEqualTo(3);
    assertThat(result.out())
        .containsPattern("(?m)^ok +" + KEPT)
        .containsPattern("(?m)^violated +%s: 1 calls? over 100 ms, ".formatted(BROKEN))
        .contains("kymo view " + recording + " --at ")
        .endsWith(sum(2, 1));
    Element suite = suite();
    assertThat(suite.getAttribute("name")).isEqualTo(recording);
    assertThat(suite.getAttribute("tests")).isEqualTo("2");
    assertThat(suite.getAttribute("failures")).isEqualTo("1");
    Element failure = (Element) suite.getElementsByTagName("failure").item(0);
    assertThat(((Element) failure.getParentNode()).getAttribute("name")).isEqualTo(BROKEN);
    assertThat(failure.getTextContent()).contains("SelfTimes.sleeps");
  }

  private static String sum(int rules, int violated) {
    return "rules=%d violated=%d unknown=0\n".formatted(rules, violated);
  }

  private static Element suite() throws Exception {
    Document xml =
        DocumentBuilderFactory.newDefaultInstance().newDocumentBuilder().parse(junit().toFile());
    return (Element) xml.getElementsByTagName("testsuite").item(0);
  }
}
