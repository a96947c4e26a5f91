package dev.kymo.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kymo.format.Clock;
import java.io.BufferedReader;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Life and end of instances in this machine's kernel. Root only. */
@Tag("kernel")
class TraceInstanceTest {
  private final List<String> complaints = new ArrayList<>();
  private Tracefs tracefs = new Tracefs(Path.of("/sys/kernel/tracing"));

  @BeforeEach
  void root() {
    tracefs = RootOnly.tracefs("TraceInstanceTest");
  }

  @AfterEach
  void nothingIsLeft() throws Exception {
    if (Files.isReadable(tracefs.instances())) {
      List<Path> left = RootOnly.own(tracefs);
      for (Path path : left) {
        Files.deleteIfExists(path);
      }
      assertThat(left).isEmpty();
    }
  }

  private TraceInstance open(int bufferKb) throws KernelException {
    return TraceInstance.open(tracefs, Clock.MONOTONIC, bufferKb, complaints::add);
  }

  @Test
  void setUp() throws Exception {
    try (TraceInstance instance = open(2048)) {
      assertThat(instance.path().getFileName().toString())
          .startsWith("kymo-" + ProcessHandle.current().pid() + "-");
      assertThat(instance.read("tracing_on")).isEqualTo("0\n");
      assertThat(instance.read("trace_clock")).contains("[mono]");
      assertThat(instance.read("buffer_size_kb")).startsWith("20");
      assertThat(instance.read("trace_options"))
          .contains("norecord-cmd\n", "\ndisable_on_free\n", "\noverwrite\n");
      assertThat(instance.format("sched:sched_switch").orElseThrow().has("next_pid")).isTrue();
      assertThat(instance.format("sched:no_such_event")).isEmpty();
      assertThat(instance.expand("irq:*")).contains("irq:irq_handler_entry", "irq:softirq_exit");
      assertThat(instance.expand("nothing:*")).isEmpty();
      instance.enable("tlb:tlb_flush", true);
      assertThat(instance.read("events/tlb/tlb_flush/enable")).isEqualTo("1\n");
      assertThat(instance.read("events/tlb/tlb_flush/filter")).isEqualTo("reason != 0\n");
      instance.enable("tlb:tlb_flush", false);
      assertThat(instance.read("events/tlb/tlb_flush/enable")).isEqualTo("0\n");
      assertThat(RootOnly.own(tracefs)).containsExactly(instance.path());
      instance.close();
      assertThat(RootOnly.own(tracefs)).isEmpty();
    }
    assertThat(complaints).isEmpty();
  }

  @Test
  void unknownClock() {
    assertThatThrownBy(() -> TraceInstance.open(tracefs, "sundial", 1024, complaints::add))
        .isInstanceOf(KernelException.class)
        .hasMessageMatching(
            "the kernel does not trace on the recording's clock: clock=sundial offered=local .* mono .*; record with another --clock");
  }

  @Test
  void tooLargeBuffer() throws Exception {
    int wanted = Integer.MAX_VALUE; // kB: 2 TB
    try (TraceInstance instance = open(wanted)) {
      int used = Integer.parseInt(instance.read("buffer_size_kb").strip().split(" ")[0]);
      assertThat(used).isBetween(1000, TraceInstance.DEFAULT_BUFFER_KB + 64);
    }
    assertThat(complaints).hasSize(1);
    assertThat(complaints.getFirst())
        .matches(
            "kernel buffers are smaller than asked for, there is not enough memory: wanted=2147483647 kB used=\\d+ kB for each processor; events may be lost");
  }

  @Test
  void heldByAnother() throws Exception {
    TraceInstance instance = open(1024);
    try (InputStream _ = Files.newInputStream(instance.path().resolve("trace_pipe"))) {
      assertThatThrownBy(instance::close)
          .isInstanceOf(KernelException.class)
          .hasMessage(
              "tracing instance is still open elsewhere and cannot be removed: path=%s; it is off; close what reads it, then run: rmdir %s",
              instance.path(), instance.path());
      assertThat(instance.read("tracing_on")).isEqualTo("0\n");
    }
    instance.close();
    assertThat(instance.path()).doesNotExist();
    instance.close();
  }

  @Test
  void killedOwner() throws Exception {
    Process child =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                Holder.class.getName())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    Path left;
    try (BufferedReader out = child.inputReader()) {
      left = Path.of(Objects.requireNonNull(out.readLine()));
      assertThat(Tracefs.read(left.resolve("tracing_on"))).isEqualTo("1\n");
      open(1024).close(); // does not take what belongs to a live process
      assertThat(left).exists();
    } finally {
      child.destroyForcibly().waitFor(); // kill -9
    }
    assertThat(Tracefs.read(left.resolve("tracing_on"))).isEqualTo("0\n");
    try (TraceInstance _ = open(1024)) {
      assertThat(left).doesNotExist();
    }
    assertThat(complaints).isEmpty();
  }

  /** A process that traces until it is killed. */
  static final class Holder {
    private Holder() {}

    public static void main(String[] arguments) throws Exception {
      KernelCapture capture = RootOnly.capture("cswitch", 1024, new ArrayList<>());
      capture.start();
      System.out.println(capture.path());
      Thread.sleep(60_000);
      capture.close();
    }
  }

  @Test
  void staleInstanceThatIsHeldByAnother() throws Exception {
    Path stale = tracefs.instances().resolve("kymo-%d-1-1".formatted(Integer.MAX_VALUE));
    Files.createDirectory(stale);
    try {
      try (InputStream _ = Files.newInputStream(stale.resolve("trace_pipe"))) {
        open(1024).close();
      }
      assertThat(complaints)
          .containsExactly(
              "tracing instance of a dead process is still open elsewhere: path=%s; close what reads it, then run: rmdir %s"
                  .formatted(stale, stale));
      open(1024).close();
      assertThat(stale).doesNotExist();
    } finally {
      Files.deleteIfExists(stale);
    }
  }
}
