package dev.kymo.e2e.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.e2e.kit.Kymo;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code kymo bench} measures the installed tools, and names the missing ones. */
@Tag("peer")
@Tag("peers")
class BenchTest {
  private static final String MEASURED =
      "\"ns_per_event\":-?\\d+\\.\\d+,\"events\":\\d+,\"lost\":\\d+,\"bytes_per_event\":\\d+\\.\\d+";
  private static final String SKIPPED = "\"skipped\":\"[^\"]+";

  @TempDir Path folder;

  @Test
  void whatIsNotInstalledIsNamed() throws Exception {
    Kymo.Result result =
        Kymo.runIn(
            folder,
            Map.of("PATH", folder.toString()),
            "",
            "bench",
            "--json",
            "--rounds",
            "1",
            "--turns",
            "1");
    assertThat(result.exit()).as(result.err()).isZero();
    assertThat(result.out())
        .containsPattern("\"event_ns\":\\d+\\.\\d+")
        .containsPattern("\"tool\":\"kymo\"," + MEASURED)
        .containsPattern("\"tool\":\"JFR event\"," + MEASURED)
        .containsPattern("\"tool\":\"JFR method trace\"," + MEASURED)
        .contains("{\"tool\":\"uftrace\",\"skipped\":\"not installed: gcc, uftrace\"}")
        .contains(
            "{\"tool\":\"lttng-ust\",\"skipped\":\"not installed: gcc, lttng, lttng-sessiond\"}");
  }

  @Test
  void whatIsInstalledIsMeasuredOrSaysWhyNot() throws Exception {
    List<Path> before = sharedMemory();
    Kymo.Result result = Kymo.run("bench", "--json", "--rounds", "1", "--turns", "1");
    assertThat(result.exit()).as(result.err()).isZero();
    for (String tool : new String[] {"kymo", "JFR event", "uftrace", "lttng-ust"}) {
      assertThat(result.out())
          .containsPattern("\"tool\":\"" + tool + "\",(" + MEASURED + "|" + SKIPPED + ")");
    }
    assertThat(before).as("what was there before").containsAll(sharedMemory());
  }

  /** Files of LTTng's library, which outlive its programs. */
  private static List<Path> sharedMemory() throws Exception {
    try (Stream<Path> all = Files.list(Path.of("/dev/shm"))) {
      return all.filter(file -> file.toString().contains("lttng-ust-wait-")).toList();
    }
  }

  @Test
  void noTurnsNoTools() throws Exception {
    Kymo.Result result = Kymo.run("bench", "--json", "--rounds", "1", "--turns", "0");
    assertThat(result.out()).contains("\"peers\":[]");
  }
}
