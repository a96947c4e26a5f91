package dev.kymo.states;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.format.Clock;
import dev.kymo.format.Definition;
import dev.kymo.format.MetadataText;
import dev.kymo.writer.DefinitionFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Made-up events, and the calls that a reader finds in what was written of them. */
class KernelStatesTest {
  private static final UUID ID = UUID.randomUUID();
  private static final long SLEEPS = 1;
  private static final long DEEP = 2;
  private static final long PREEMPTED = 0x100;
  private static final long DEAD = 16;
  private static final long THREAD = 0x10000;

  @TempDir Path directory;
  private DefinitionFile definitions;
  private KernelStates states;
  private MadeEvents events;

  @BeforeEach
  void begin() throws IOException {
    begin(false);
  }

  private void begin(boolean all) throws IOException {
    Path place = Files.createTempDirectory(directory, "r");
    Files.writeString(
        place.resolve("metadata"), MetadataText.of(ID, new Clock("tsc", 1_000_000_000L, 0)));
    definitions = new DefinitionFile(place, ID, 1);
    definitions.define(0, new Definition.TracedProcess(1, 0, 0, "Linux", ""));
    states = new KernelStates(new KernelStates.Place(place, ID, 1, 2), all, definitions, 0);
    events = new MadeEvents(states);
    directory = place;
  }

  private List<String> calls() throws IOException {
    states.close();
    definitions.close();
    return WrittenCalls.of(directory);
  }

  /** A process with the thread 100, which runs on CPU 0 from 20 on. */
  private void aRunningProcess() throws IOException {
    states.root(100);
    assertThat(events.creates(1, 10, 50, 100, "prog", 0)).isTrue();
    assertThat(events.switches(0, 20, 0, 0, 100)).isTrue();
  }

  @Test
  void whoIsNotRecordedIsOther() throws IOException {
    aRunningProcess();
    assertThat(events.switches(1, 25, 0, 0, 700)).isFalse();
    assertThat(events.switches(1, 27, 700, SLEEPS, 0)).isFalse();
    assertThat(events.wakes(1, 28, 0, 0, 700)).isFalse();
    assertThat(events.simple(1, 28, 700, "sys_enter_futex", 0)).isFalse();
    assertThat(events.switches(0, 30, 100, PREEMPTED, 700)).isTrue();
    assertThat(events.switches(0, 50, 700, SLEEPS, 100)).isTrue();
    assertThat(events.switches(0, 60, 100, DEAD, 0)).isTrue();
    assertThat(events.frees(1, 70, 100)).isTrue();
    assertThat(calls())
        .containsExactlyInAnyOrder(
            "prog: runnable.new 10-20",
            "prog: running.CPU 0 20-30",
            "prog: runnable.preempted 30-50",
            "prog: running.CPU 0 50-60",
            "CPU 0: thread.prog 100 20-30",
            "CPU 0: thread.other 30-50",
            "CPU 0: thread.prog 100 50-60",
            "CPU 1: thread.other 25-27");
  }

  @Test
  void threadsThatTakeTurnsHandEachOtherTheProcessor() throws IOException {
    aRunningProcess();
    events.creates(0, 30, 100, 101, "prog", THREAD);
    events.switches(0, 40, 100, SLEEPS, 101);
    events.wakes(0, 50, 101, 0, 100);
    events.switches(0, 60, 101, SLEEPS, 100);
    events.wakes(0, 70, 100, 0, 101);
    events.switches(1, 75, 0, 0, 101); // on another processor: not handed over
    assertThat(calls())
        .containsExactlyInAnyOrder(
            "prog: runnable.new 10-20",
            "prog: running.CPU 0 20-40",
            "prog: blocked. 40-50 by prog",
            "prog: runnable.woken 50-60 by prog",
            "prog:   handed.CPU 60-60 by prog",
            "prog: running.CPU 0 60-75...",
            "prog: runnable.new 30-40 by prog",
            "prog: running.CPU 0 40-60",
            "prog: blocked. 60-70 by prog",
            "prog: runnable.woken 70-75",
            "prog: running.CPU 1 75-75...",
            "CPU 0: thread.prog 100 20-40",
            "CPU 0: thread.prog 101 40-60",
            "CPU 0: thread.prog 100 60-75...",
            "CPU 1: thread.prog 101 75-75...");
  }

  @Test
  void whatAThreadIsBlockedOn() throws IOException {
    aRunningProcess();
    events.simple(0, 30, 100, "sys_enter_futex", 0);
    events.switches(0, 40, 100, SLEEPS, 0);
    events.wakes(0, 50, 0, 0x10, 100); // in a soft interrupt: nobody's deed
    events.switches(0, 60, 0, 0, 100);
    events.simple(0, 70, 100, "sys_exit_futex", 0);
    events.switches(0, 80, 100, DEEP, 0);
    events.switches(0, 90, 0, 0, 100); // no waking was seen
    events.simple(0, 91, 100, "page_fault_user", 0);
    events.switches(0, 92, 100, DEEP, 0);
    events.wakes(0, 94, 0, 0x08, 100);
    events.switches(0, 95, 0, 0, 100);
    events.switches(0, 96, 100, SLEEPS, 0);
    assertThat(calls())
        .filteredOn(line -> line.startsWith("prog"))
        .containsExactly(
            "prog: runnable.new 10-20",
            "prog: running.CPU 0 20-40",
            "prog: blocked.futex 40-50",
            "prog: runnable.woken 50-60",
            "prog: running.CPU 0 60-80",
            "prog: blocked.I/O 80-90",
            "prog:   fault.page fault 91-91",
            "prog: running.CPU 0 90-92",
            "prog: blocked.page fault 92-94",
            "prog: runnable.woken 94-95",
            "prog: running.CPU 0 95-96",
            "prog: blocked. 96-96...");
  }

  @Test
  void interruptsLieInsideWhatTheyInterrupt() throws IOException {
    aRunningProcess();
    assertThat(events.simple(0, 30, 100, "local_timer_entry", 236)).isTrue();
    events.simple(0, 31, 100, "softirq_entry", 9);
    events.irq(0, 32, 100, 7, "virtio0-input");
    events.simple(0, 33, 100, "irq_handler_exit", 7);
    events.simple(0, 34, 100, "softirq_exit", 9);
    events.simple(0, 35, 100, "local_timer_exit", 236);
    events.simple(0, 36, 100, "softirq_exit", 9); // its begin was not seen
    events.irq(1, 40, 0, 7, "virtio0-input");
    events.simple(1, 44, 0, "irq_handler_exit", 7);
    events.simple(0, 50, 100, "local_timer_entry", 236);
    events.switches(0, 60, 100, SLEEPS, 0); // its end was not seen
    assertThat(calls())
        .containsExactlyInAnyOrder(
            "prog: runnable.new 10-20",
            "prog:       interrupted.irq virtio0-input 32-33",
            "prog:     interrupted.softirq RCU 31-34",
            "prog:   interrupted.timer 30-35",
            "prog:   interrupted.timer 50-60",
            "prog: running.CPU 0 20-60",
            "prog: blocked. 60-60...",
            "CPU 0:       interrupt.irq virtio0-input 32-33",
            "CPU 0:     interrupt.softirq RCU 31-34",
            "CPU 0:   interrupt.timer 30-35",
            "CPU 0:   interrupt.timer 50-60",
            "CPU 0: thread.prog 100 20-60",
            "CPU 1: interrupt.irq virtio0-input 40-44");
  }

  @Test
  void aNumberGivenAgainIsAnotherThread() throws IOException {
    aRunningProcess();
    events.creates(0, 30, 100, 101, "prog", THREAD);
    events.switches(1, 40, 0, 0, 101);
    assertThat(events.renames(1, 45, 101, "worker")).isTrue();
    events.switches(1, 50, 101, DEAD, 0);
    events.frees(1, 55, 101);
    assertThat(events.switches(1, 60, 0, 0, 101)).isFalse(); // somebody else's
    events.switches(1, 65, 101, DEAD, 0);
    events.creates(0, 70, 100, 101, "next", 0);
    events.switches(1, 80, 0, 0, 101);
    events.switches(1, 90, 101, DEAD, 0);
    assertThat(calls())
        .filteredOn(line -> !line.startsWith("prog"))
        .containsExactlyInAnyOrder(
            "worker: runnable.new 30-40",
            "worker: running.CPU 1 40-50",
            "next: runnable.new 70-80",
            "next: running.CPU 1 80-90",
            "CPU 0: thread.prog 100 20-90...",
            "CPU 1: thread.prog 101 40-50",
            "CPU 1: thread.other 60-65",
            "CPU 1: thread.next 101 80-90");
  }

  @Test
  void afterALossNothingIsKnown() throws IOException {
    aRunningProcess();
    events.creates(0, 30, 100, 101, "prog", THREAD);
    states.lost(0, 40, 12);
    events.wakes(1, 50, 0, 0x08, 101);
    events.switches(1, 60, 0, 0, 101);
    assertThat(calls())
        .containsExactlyInAnyOrder(
            "prog: runnable.new 10-20",
            "prog: running.CPU 0 20-40",
            "prog: runnable.new 30-40",
            "prog: runnable.woken 50-60",
            "prog: running.CPU 1 60-60...",
            "CPU 0: thread.prog 100 20-40",
            "CPU 1: thread.prog 101 60-60...");
  }

  @Test
  void allThreadsOfTheMachine() throws IOException {
    begin(true);
    states.present(300, 300, "daemon", true, 5);
    assertThat(events.switches(0, 20, 0, 0, 700)).isTrue();
    events.wakes(0, 30, 700, 0, 300);
    events.switches(0, 40, 700, SLEEPS, 300);
    assertThat(calls())
        .containsExactlyInAnyOrder(
            "daemon: blocked. 5-30 by t700",
            "daemon: runnable.woken 30-40 by t700",
            "daemon:   handed.CPU 40-40 by t700",
            "daemon: running.CPU 0 40-40...",
            "t700: running.CPU 0 20-40",
            "t700: blocked. 40-40...",
            "CPU 0: thread.t700 700 20-40",
            "CPU 0: thread.daemon 300 40-40...");
  }
}
