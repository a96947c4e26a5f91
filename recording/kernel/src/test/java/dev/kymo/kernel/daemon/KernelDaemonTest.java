package dev.kymo.kernel.daemon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kymo.format.Clock;
import dev.kymo.format.KernelEventFormat;
import dev.kymo.kernel.KernelException;
import dev.kymo.kernel.KernelSink;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Events are on in the kernel as long as somebody needs them, whatever happens to anybody. */
@Tag("kernel")
class KernelDaemonTest {
  @BeforeAll
  static void needsTracefs() {
    Daemons.tracefs("KernelDaemonTest");
  }

  /** Counts events by name. */
  private static final class Counts implements KernelSink {
    final Map<String, Integer> events = new HashMap<>();
    private final List<KernelEventFormat> formats;
    private long last;

    Counts(DaemonSource source) {
      formats = source.formats();
    }

    @Override
    public void event(int cpu, long clock, int event, byte[] bytes, int offset, int size) {
      assertThat(clock).isGreaterThanOrEqualTo(last);
      last = clock;
      KernelEventFormat format = formats.get(event);
      assertThat((bytes[offset] & 0xFF) | (bytes[offset + 1] & 0xFF) << 8)
          .isEqualTo(format.kernelId());
      events.merge(format.toString(), 1, Integer::sum);
    }

    @Override
    public void lost(int cpu, long from, long to, long count) {}

    @Override
    public void upTo(long clock) {
      assertThat(clock).isGreaterThanOrEqualTo(last);
    }
  }

  private static void shell(String command) throws IOException, InterruptedException {
    new ProcessBuilder("sh", "-c", command).inheritIO().start().waitFor();
  }

  @Test
  void eventsAreOnExactlyAsLongAsSomebodyNeedsThem() throws Exception {
    try (Daemons.Served daemon = new Daemons.Served(8);
        DaemonSource one = daemon.source("cswitch");
        DaemonSource two = daemon.source("cswitch,pagefault")) {
      assertThat(Daemons.instances(ProcessHandle.current().pid())).isEmpty();
      one.start();
      assertThat(Daemons.isOn("sched:sched_switch")).isTrue();
      assertThat(Daemons.isOn("exceptions:page_fault_user")).isFalse();
      two.start();
      assertThat(Daemons.isOn("exceptions:page_fault_user")).isTrue();
      assertThat(Daemons.kernel("tracing_on")).isEqualTo("1");
      shell("true");
      Counts first = new Counts(one);
      one.finish(first);
      assertThat(Daemons.isOn("sched:sched_switch")).isTrue();
      assertThat(first.events).containsKey("sched:sched_switch");
      assertThat(first.events).doesNotContainKey("exceptions:page_fault_user");
      Counts second = new Counts(two);
      two.finish(second);
      assertThat(second.events)
          .containsKeys("sched:sched_switch", "exceptions:page_fault_user", "task:task_newtask");
      assertThat(Daemons.instances(ProcessHandle.current().pid())).isEmpty();
      assertThat(daemon.log).isEmpty();
    }
  }

  @Test
  void whatOnlyOneNeededGoesOffBehindIt() throws Exception {
    try (Daemons.Served daemon = new Daemons.Served(8);
        DaemonSource one = daemon.source("cswitch");
        DaemonSource two = daemon.source("unmap")) {
      two.start();
      one.start();
      two.finish(new Counts(two));
      assertThat(Daemons.isOn("sched:sched_switch")).isTrue();
      assertThat(Daemons.isOn("syscalls:sys_enter_munmap")).isFalse();
      assertThat(Daemons.isOn("task:task_newtask")).isTrue();
      two.start();
      assertThat(Daemons.isOn("syscalls:sys_enter_munmap")).isTrue();
      shell("true");
      Counts again = new Counts(two);
      two.finish(again);
      assertThat(again.events).containsKey("syscalls:sys_enter_munmap");
    }
  }

  @Test
  void closedClientsNeedNothing() throws Exception {
    try (Daemons.Served daemon = new Daemons.Served(8)) {
      DaemonSource source = daemon.source("cswitch");
      source.start();
      source.close();
      noInstance();
    }
  }

  private static void noInstance() throws InterruptedException {
    Daemons.until(
        "instance is removed",
        () -> {
          try {
            return Daemons.instances(ProcessHandle.current().pid()).isEmpty();
          } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
          }
        });
  }

  @Test
  void killedClientsNeedNothing() throws Exception {
    try (Daemons.Served daemon = new Daemons.Served(8)) {
      Process client = Daemons.run(0, ClientProgram.class, daemon.socket.toString(), "cswitch,ipc");
      try (BufferedReader lines = client.inputReader()) {
        Daemons.linesUpTo("started", lines);
        assertThat(Daemons.isOn("sched:sched_waking")).isTrue();
        client.destroyForcibly().waitFor();
        noInstance();
      }
    }
  }

  @Test
  void killedDaemonTracesNoMore() throws Exception {
    Path folder = Daemons.folder();
    Path socket = folder.resolve("kernel");
    Process killed = Daemons.run(0, DaemonProgram.class, socket.toString());
    DaemonSource orphan;
    List<Path> left;
    try (BufferedReader lines = killed.inputReader()) {
      Daemons.linesUpTo("ready", lines);
      orphan = DaemonSource.open(socket, "cswitch", Clock.MONOTONIC, 8192, _ -> {});
      orphan.start();
    } finally {
      left = Daemons.instances(killed.pid());
      killed.destroyForcibly().waitFor();
    }
    assertThat(left).hasSize(1);
    assertThat(Daemons.read(left.getFirst().resolve("tracing_on"))).isEqualTo("0");
    assertThatThrownBy(() -> readOn(orphan))
        .isInstanceOf(KernelException.class)
        .hasMessageStartingWith("the daemon for kernel events is gone: socket=" + socket);
    orphan.close();
    assertThat(socket).exists();
    try (Daemons.Served next = new Daemons.Served(folder, 8);
        DaemonSource source = next.source("cswitch")) {
      assertThat(left.getFirst()).doesNotExist();
      source.start();
      assertThat(Daemons.isOn("sched:sched_switch")).isTrue();
    }
  }

  private static void readOn(DaemonSource source) throws IOException {
    Counts counts = new Counts(source);
    while (true) {
      source.round(counts);
    }
  }

  @Test
  void secondDaemonIsRefused() throws Exception {
    try (Daemons.Served daemon = new Daemons.Served(8)) {
      String reason =
          "a daemon is there already: socket=%s; ask it with: kymo daemon --status --socket %s"
              .formatted(daemon.socket, daemon.socket);
      assertThatThrownBy(() -> new Daemons.Served(daemon.folder, 8)).hasMessage(reason);
      assertThat(DaemonSource.status(daemon.socket)).startsWith("kymo daemon test, protocol 1");
    }
  }

  @Test
  void tellsWhoIsThere() throws Exception {
    try (Daemons.Served daemon = new Daemons.Served(8);
        DaemonSource source = daemon.source("cswitch,irq")) {
      source.start();
      assertThat(DaemonSource.status(daemon.socket))
          .isEqualTo(
              """
              kymo daemon test, protocol 1, process %d
              clients: 2 of 8
              services on: cswitch (1), irq (1)
              client=1 uid=0 services=cswitch,irq waiting_bytes=0
              client=2 uid=0 services=- waiting_bytes=0\
              """
                  .formatted(ProcessHandle.current().pid()));
    }
  }

  @Test
  void whereThereIsNoDaemonTheMessageSaysSo() {
    assertThatThrownBy(
            () -> DaemonSource.open(Path.of("/nowhere"), "irq", Clock.MONOTONIC, 1, _ -> {}))
        .isInstanceOf(KernelException.class)
        .hasMessage(
            "no daemon for kernel events: socket=/nowhere: No such file or directory;"
                + " run as root: kymo daemon");
  }

  @Test
  void whatTheKernelLacksIsSaid() throws Exception {
    Set<String> said = new HashSet<>();
    try (Daemons.Served daemon = new Daemons.Served(8);
        DaemonSource source =
            DaemonSource.open(daemon.socket, "cswitch,no:such", Clock.MONOTONIC, 1024, said::add)) {
      source.start();
      source.finish(new Counts(source));
      assertThat(said).containsExactly("not in this kernel, so not recorded: events=no:such");
    }
  }

  @Test
  void clocksNotOfferedAreRefused() throws Exception {
    try (Daemons.Served daemon = new Daemons.Served(8)) {
      assertThatThrownBy(
              () -> DaemonSource.open(daemon.socket, "cswitch", "sundial", 1024, _ -> {}))
          .hasMessage(
              "the daemon for kernel events refuses REGISTER: no such clock: clock=sundial"
                  + " offered=monotonic; record with another --clock");
    }
  }
}
