package dev.kymo.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.testkit.RecordingBuilder;
import dev.kymo.testkit.StreamWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

class CheckCommandTest {
  @TempDir Path directory;

  private Path recording(String name, boolean lossy) {
    RecordingBuilder r = new RecordingBuilder().process(1).thread(1, 1, "main");
    r.method(1, 1, "a.B", "x\u0001y").method(1, 2, "a.B", "z");
    StreamWriter ring = r.ring(1, 0, 1).enter(100, 1).enter(120, 2).leave(130, 2);
    if (lossy) {
      ring.lose(3);
    }
    ring.leave(200, 1);
    return r.write(directory.resolve(name));
  }

  private static Kymo check(Object... arguments) {
    return Kymo.run(Stream.concat(Stream.of("check"), Stream.of(arguments)).toArray());
  }

  private Path rules(String text) throws Exception {
    return Files.writeString(directory.resolve("my.rules"), text);
  }

  @Test
  void tellsWhereAViolationIs() throws Exception {
    Path recording = recording("r.kymo", false);
    Path rules = rules("no loss\nno call of a.B.z over 9 ns\nno wait over 1 ms\n");
    Kymo kymo = check(recording, rules);
    assertThat(kymo.err()).isEmpty();
    assertThat(kymo.out())
        .isEqualTo(
            """
            ok        no loss
            violated  no call of a.B.z over 9 ns: 1 call over 9 ns, the longest 10 ns
                        0.000000020  10 ns  main (1/1): a.B.z
                          kymo view RECORDING --at 1/1@0.000000020+0.000000010
                          kymo why RECORDING 1/1:1@0.000000020
            unknown   no wait over 1 ms: no waits in this recording; 'kymo record --waits on' records them from the beginning
            rules=3 violated=1 unknown=1
            """
                .replace("RECORDING", recording.toString()));
    assertThat(kymo.code()).isEqualTo(3);
    Kymo why = Kymo.run("why", recording, "1/1:1@0.000000020");
    assertThat(why.out()).startsWith("a.B.z  1/1:1@0.000000020\n");
  }

  @Test
  void theExitCodeSaysWhetherAllIsRight() {
    Path recording = recording("r.kymo", false);
    assertThat(check(recording, "--rule", "no loss").code()).isZero();
    assertThat(check(recording, "--rule", "no wait over 1 ms").code()).isEqualTo(3);
    Kymo allowed = check(recording, "--rule", "no wait over 1 ms", "--allow-unknown");
    assertThat(allowed.code()).isZero();
    assertThat(allowed.out()).endsWith("rules=1 violated=0 unknown=1 (allowed)\n");
    Kymo wrong = check(recording, "--rule", "rule \"a\": SELECT nix FROM calls;");
    assertThat(wrong.code()).isEqualTo(1);
    assertThat(wrong.out()).contains("            LINE 1: SELECT nix FROM calls\n");
  }

  @Test
  void eachRecordingIsCheckedByItself() {
    Path whole = recording("r.kymo", false);
    Path lossy = recording("it's lossy.kymo", true);
    Kymo kymo = check(whole, lossy, "--rule", "no loss", "--places", 1);
    assertThat(kymo.out())
        .startsWith(whole + ":\nok        no loss\n" + lossy + ":\nviolated  no loss: ")
        .contains("kymo view '" + lossy.toString().replace("'", "'\\''") + "' --at 1/1@0.0000000");
    assertThat(kymo.code()).isEqualTo(3);
  }

  @Test
  void onlyAPartIsChecked() {
    Path recording = recording("r.kymo", false);
    String rule = "no call of a.B.z";
    assertThat(check(recording, "--rule", rule).code()).isEqualTo(3);
    assertThat(check(recording, "--rule", rule, "--from", "50ns").code()).isZero();
  }

  @Test
  void programsGetJson() {
    Path recording = recording("r.kymo", false);
    Kymo kymo = check(recording, "--rule", "no call of a.B.z", "--json");
    assertThat(kymo.out())
        .contains(
            "\"rule\" : \"no call of a.B.z\"",
            "\"place\" : \"--rule:1:1\"",
            "\"outcome\" : \"violated\"",
            "\"begin\" : 20",
            "\"view\" : \"kymo view " + recording + " --at 1/1@0.000000020+0.000000010\"",
            "\"explain\" : \"kymo why " + recording + " 1/1:1@0.000000020\"");
  }

  /** Names in it may have what XML cannot have. */
  @Test
  void serversGetXml() throws Exception {
    Path recording = recording("r.kymo", false);
    Path xml = Files.writeString(directory.resolve("junit.xml"), "of an earlier run");
    Path rules = rules("no loss\nno call of a.B.x*\nno wait over 1 ms\nrule \"<&\": SELECT nix;\n");
    check(recording, rules, "--junit", xml, "--allow-unknown");
    Document document =
        DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(xml.toFile());
    Element suite = (Element) document.getElementsByTagName("testsuite").item(0);
    assertThat(suite.getAttribute("tests")).isEqualTo("4");
    assertThat(suite.getAttribute("failures")).isEqualTo("1");
    assertThat(suite.getAttribute("errors")).isEqualTo("1");
    assertThat(suite.getAttribute("skipped")).isEqualTo("1");
    Element failure = (Element) document.getElementsByTagName("failure").item(0);
    assertThat(failure.getTextContent())
        .contains("a.B.x\\u0001y", "kymo view " + recording + " --at 1/1@0.000000000+");
    assertThat(((Element) failure.getParentNode()).getAttribute("name"))
        .isEqualTo("no call of a.B.x*");
  }

  @Test
  void wrongUsage() throws Exception {
    Path recording = recording("r.kymo", false);
    says(
        check(recording),
        "kymo: rules are missing: kymo check RECORDING FILE, or --rule \"no wait over 50 ms\"");
    says(
        check(recording, directory.resolve("none")),
        "kymo: no such file with rules: path=" + directory.resolve("none"));
    says(
        check(recording, rules("# nothing\n")),
        "kymo: there is no rule in " + directory.resolve("my.rules"));
    says(
        check(recording, rules("no loss\nno lss\n")),
        directory.resolve("my.rules")
            + ":2:4: expected loss, damage, deadlock, possible deadlock, wait, time, call or event, found 'lss'");
    says(
        check(directory.resolve("none"), "--rule", "no loss"),
        "kymo: no such recording: path=" + directory.resolve("none"));
  }

  private static void says(Kymo kymo, String error) {
    assertThat(kymo.err()).isEqualTo(error + "\n");
    assertThat(kymo.out()).isEmpty();
    assertThat(kymo.code()).isEqualTo(2);
  }
}
