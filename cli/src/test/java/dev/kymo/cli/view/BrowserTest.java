package dev.kymo.cli.view;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** A user without a browser on the machine is told how to reach the page from another one. */
class BrowserTest {
  @Test
  void whoHasComeBySshGetsTheTunnel() {
    Map<String, String> environment =
        Map.of("USER", "ann", "SSH_CONNECTION", "192.0.2.1 54321 192.0.2.7 22");
    assertThat(Browser.tunnel(7701, environment))
        .hasValue(
            "from the machine you came from by ssh, open that link after:"
                + " ssh -N -L 7701:127.0.0.1:7701 ann@192.0.2.7");
  }

  @Test
  void anotherPortOfSshIsNamed() {
    Map<String, String> environment =
        Map.of("USER", "ann", "SSH_CONNECTION", "192.0.2.1 54321 192.0.2.7 2222");
    assertThat(Browser.tunnel(1, environment)).get().asString().endsWith(" -p 2222 ann@192.0.2.7");
  }

  @Test
  void whoSitsHereGetsNothing() {
    assertThat(Browser.tunnel(7701, Map.of("SSH_CONNECTION", ""))).isEmpty();
    assertThat(Browser.tunnel(7701, Map.of())).isEmpty();
  }
}
