package dev.kymo.instructions.trace;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Names of system calls and signals. */
class SystemCallsTest {
  @Test
  void callsAndSignalsHaveTheirNames() {
    assertThat(new SystemCalls().name(231)).isEqualTo("exit_group");
    assertThat(new SystemCalls().name(100_000)).isEqualTo("system call 100000");
    assertThat(SystemCalls.signal(11)).isEqualTo("SIGSEGV");
    assertThat(SystemCalls.signal(36)).isEqualTo("SIGRTMIN+2");
  }
}
