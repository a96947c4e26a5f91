package dev.kymo.session.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class JvmFlagsTest {
  private static final String OFF = "-XX:+DisableAttachMechanism";

  private static boolean isOff(List<String> command, String... environment) {
    return JvmFlags.of(command, List.of(environment)).isOn("DisableAttachMechanism", false);
  }

  @Test
  void theLastOneCounts() {
    assertThat(isOff(List.of("java", OFF, "Main"))).isTrue();
    assertThat(isOff(List.of("java", OFF, "-XX:-DisableAttachMechanism", "Main"))).isFalse();
    assertThat(isOff(List.of("java", "Main"), "PATH=/bin", "JAVA_TOOL_OPTIONS=-Da=b " + OFF))
        .isTrue();
    assertThat(
            isOff(
                List.of("java", "-XX:-DisableAttachMechanism", "Main"), "JDK_JAVA_OPTIONS=" + OFF))
        .isFalse();
    assertThat(
            isOff(List.of("java", "-XX:-DisableAttachMechanism", "Main"), "_JAVA_OPTIONS=" + OFF))
        .isTrue();
  }

  @Test
  void whatTheProgramGetsIsNoFlag() {
    assertThat(isOff(List.of("java", "Main", OFF))).isFalse();
    assertThat(isOff(List.of("java", "-jar", "app.jar", OFF))).isFalse();
    assertThat(isOff(List.of("java", "-cp", "app.jar", OFF, "Main"))).isTrue();
    assertThat(isOff(List.of())).isFalse();
  }

  @Test
  void whatIsInTheWayIsSaid() {
    assertThat(JvmFlags.of(List.of("java", OFF, "Main"), List.of()).obstacle()).contains(OFF);
    assertThat(
            JvmFlags.of(List.of("java", "-XX:-EnableDynamicAgentLoading", "Main"), List.of())
                .obstacle())
        .contains("-XX:-EnableDynamicAgentLoading");
    assertThat(JvmFlags.of(List.of("java", "Main"), List.of()).obstacle()).isEmpty();
  }
}
