package dev.kymo.e2e.network;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.e2e.kit.Kymo;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What Kafka's client needs is there: its own tests need a broker, and are a group. */
@Timeout(600)
class KafkaStartTest {
  @TempDir Path folder;

  @Test
  void theClientBegins() throws Exception {
    String nobody = "kafka://127.0.0.1:9/nobody";
    String[] listen = {"listen", "--kafka", nobody, "-d", folder.toString()};
    Kymo.Result result = Kymo.runIn(folder, Map.of(), "", listen);
    assertThat(result.err()).startsWith("kymo: Kafka cannot be reached: address=" + nobody);
    assertThat(result.err().lines()).hasSize(1);
    assertThat(result.exit()).isEqualTo(1);
  }
}
