package dev.kymo.e2e.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kymo.e2e.kit.Jdk;
import dev.kymo.e2e.kit.Kymo;
import dev.kymo.testkit.SourceTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three programs on two hosts, whose clocks are an hour apart: the example of docs/machines.md. The
 * hosts' wall clock is one, so that the truth is known.
 */
@Tag("slow")
@Tag("network")
class HostsTest {
  private static final int ORDERS = 12;
  private static final long MILLISECOND = 1_000_000;

  @TempDir Path folder;

  @BeforeAll
  static void needsNameSpaces() throws Exception {
    assumeTrue(succeeds("ip", "netns", "list"), "hosts need root and ip (Debian package iproute2)");
    assumeTrue(
        succeeds("unshare", "--time", "--monotonic", "5", "--fork", "true"),
        "hosts need name spaces for time, which this kernel does not give");
  }

  private static boolean succeeds(String... command) throws InterruptedException {
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      return process.waitFor() == 0;
    } catch (IOException e) {
      return false;
    }
  }

  private void run(Path java) throws Exception {
    Path kymo = folder.resolve("kymo");
    Files.writeString(
        kymo, "#!/bin/sh\nexec '" + String.join("' '", Kymo.command()) + "' \"$@\"\n");
    Files.setPosixFilePermissions(kymo, PosixFilePermissions.fromString("rwx------"));
    ProcessBuilder script =
        new ProcessBuilder(
                "sh",
                SourceTree.path("examples/hosts/hosts.sh").toString(),
                folder.toString(),
                Integer.toString(ORDERS))
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("said").toFile());
    script.environment().putAll(Map.of("JAVA", java.toString(), "KYMO", kymo.toString()));
    Process process = script.start();
    assertThat(process.waitFor(10, TimeUnit.MINUTES)).isTrue();
    assertThat(process.exitValue()).as(Files.readString(folder.resolve("said"))).isZero();
  }

  /** Java 17 has the monotonic clock, which the hosts do not share. */
  private static Path java() {
    Jdk oldest = Jdk.all().getFirst();
    assumeTrue(oldest.feature() < 22, "hosts share the processor's counter from Java 22 on");
    return oldest.java();
  }

  @Test
  void aRequestIsFollowedThroughThreeProcesses() throws Exception {
    run(java());
    Path traces = folder.resolve("traces/order");
    List<String> recordings =
        List.of("client", "shop", "stock").stream()
            .map(name -> traces.resolve(name + ".kymo").toString())
            .toList();
    Path joined = folder.resolve("all.kymo");
    Kymo.Result merge =
        Kymo.run(
            "merge",
            recordings.get(0),
            recordings.get(1),
            recordings.get(2),
            "-o",
            joined.toString());
    assertThat(merge.exit()).as(merge.err()).isZero();
    assertThat(merge.err())
        .containsPattern("joined shop.kymo: by \\d+ exchanges with the receiver");
    long error = errorThatCoversTheTruth(Kymo.run("info", joined.toString()).out());
    assertThat(messages(joined, error))
        .isEqualTo(
            """
            from_process,to_process,count,backward
            1,2,%d,0
            1,3,2,0
            2,1,%d,0
            2,3,%d,0
            3,1,4,0
            3,2,%d,0
            """
                .formatted(ORDERS + 2, 2 * (ORDERS + 2), ORDERS + 1, 2 * (ORDERS + 1)));
    Kymo.Result align = Kymo.run("align", recordings.get(0), recordings.get(1), recordings.get(2));
    assertThat(align.exit()).as(align.err()).isZero();
    assertThat(align.out()).containsPattern("shop\\.kymo: by .*, within ");
  }

  /** How many there are, and how many arrive before they are sent by more than an error. */
  private static String messages(Path joined, long error) throws Exception {
    return Kymo.run(
            "query",
            joined.toString(),
            "--format",
            "csv",
            """
            SELECT from_process, to_process, count(*) AS count,
                   count(*) FILTER (received < sent - %d) AS backward
            FROM messages GROUP BY ALL ORDER BY ALL
            """
                .formatted(error))
        .out();
  }

  /** The largest error of a recording; the wall clock of the hosts is one, so nothing is moved. */
  private static long errorThatCoversTheTruth(String info) {
    Matcher said =
        Pattern.compile("recording=(shop|stock)\\.kymo processes from \\d offset=(-?\\d+) ns")
            .matcher(info);
    Matcher errors = Pattern.compile("times may be wrong by (\\d+) ns").matcher(info);
    long largest = 0;
    for (int i = 0; i < 2; i++) {
      assertThat(said.find() && errors.find()).as(info).isTrue();
      long error = Long.parseLong(errors.group(1));
      // Each recorder has read the wall clock once, a little after its own.
      assertThat(Math.abs(Long.parseLong(said.group(2)))).isLessThan(error + MILLISECOND);
      largest = Math.max(largest, error);
    }
    return largest;
  }
}
