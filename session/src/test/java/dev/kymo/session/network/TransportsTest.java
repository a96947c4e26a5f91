package dev.kymo.session.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kymo.session.UsageException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TransportsTest {
  private static final String AGENT = "kymo.agent";

  @TempDir Path installation;
  private String before = "";

  @BeforeEach
  void anInstallationWithoutAny() {
    before = System.getProperty(AGENT, "");
    System.setProperty(AGENT, installation.resolve("agent/kymo-agent.jar").toString());
  }

  @AfterEach
  void asBefore() {
    if (before.isEmpty()) {
      System.clearProperty(AGENT);
    } else {
      System.setProperty(AGENT, before);
    }
  }

  @Test
  void whatIsMissingIsSaidWithWhatToDo() {
    assertThatThrownBy(() -> Transports.of("pigeon://a:1/t"))
        .isInstanceOf(UsageException.class)
        .hasMessage(
            "this installation cannot send to or receive from pigeon: address=pigeon://a:1/t missing=%s/pigeon; build module optional/pigeon, or copy that directory from an installation that has it"
                .formatted(installation));
  }

  @Test
  void addressesOfOurOwnReceiversAreNotMeant() {
    assertThat(Transports.isMeant("host:7700")).isFalse();
    assertThat(Transports.isMeant("[::1]:7700")).isFalse();
    assertThat(Transports.isMeant("kafka://host:9092/topic")).isTrue();
  }

  @Test
  void settingsThatAreNotThere() {
    Path missing = installation.resolve("settings");
    assertThatThrownBy(() -> Transports.settings(missing))
        .isInstanceOf(UsageException.class)
        .hasMessage("no such file: path=" + missing);
  }
}
