package dev.kymo.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kymo.format.KernelEventFormat;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Captures of what this machine's kernel does. Root only. */
@Tag("kernel")
class KernelCaptureTest {
  private static final int SMALL_KB = 64;

  private final List<String> complaints = new ArrayList<>();
  private Tracefs tracefs = new Tracefs(Path.of("/sys/kernel/tracing"));

  @BeforeEach
  void root() {
    tracefs = RootOnly.tracefs("KernelCaptureTest");
  }

  @AfterEach
  void nothingIsLeft() throws Exception {
    if (Files.isReadable(tracefs.instances())) {
      assertThat(RootOnly.own(tracefs)).isEmpty();
    }
  }

  /** Checks what every sink may rely on. */
  private static final class Checks implements KernelSink {
    private long events;
    private long lost;
    private long last;
    private long upTo;
    private final Set<Integer> threads = new HashSet<>();
    private final Set<Integer> kinds = new HashSet<>();

    @Override
    public void event(int cpu, long clock, int event, byte[] bytes, int offset, int size) {
      assertThat(clock).isGreaterThanOrEqualTo(Math.max(last, upTo));
      last = clock;
      events++;
      kinds.add(event);
      threads.add(ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getInt(offset + 4));
    }

    @Override
    public void lost(int cpu, long from, long to, long count) {
      assertThat(to).isGreaterThanOrEqualTo(from);
      assertThat(count).isPositive();
      lost += count;
    }

    @Override
    public void upTo(long clock) {
      assertThat(clock).isGreaterThan(upTo);
      upTo = clock;
    }
  }

  private static Set<String> names(KernelCapture capture, Checks checks) {
    List<KernelEventFormat> formats = capture.formats();
    Set<String> names = new HashSet<>();
    checks.kinds.forEach(kind -> names.add(formats.get(kind).name()));
    return names;
  }

  @Test
  void ordersAllProcessors() throws Exception {
    Checks checks = new Checks();
    try (KernelCapture capture = RootOnly.capture("cswitch,ipc", 8192, complaints)) {
      long begin = System.nanoTime();
      capture.start();
      for (int i = 0; i < 5; i++) {
        RootOnly.shell("seq 1 20000 | cat | cat | wc -l; sleep 0.01");
        capture.round(checks);
      }
      capture.finish(checks);
      long end = System.nanoTime();
      assertThat(checks.last).isBetween(begin, end);
      assertThat(checks.upTo).isBetween(checks.last, end);
      assertThat(checks.lost).isEqualTo(capture.lost()).isEqualTo(capture.kernelLost());
      assertThat(names(capture, checks))
          .contains("sched_switch", "sys_enter_read", "sched_process_exec");
      assertThat(checks.threads).containsAnyOf(box(ownThreads()));
      KernelStatistics statistics = capture.statistics();
      assertThat(statistics.events()).isEqualTo(checks.events).isPositive();
      assertThat(statistics.malformed()).isZero();
      assertThat(statistics.unknown()).isZero();
      assertThat(statistics.cpuNanos()).isPositive();
      System.out.println("KernelCaptureTest " + statistics);
    }
    assertThat(complaints).isEmpty();
  }

  private static Integer[] box(int[] numbers) {
    return Arrays.stream(numbers).boxed().toArray(Integer[]::new);
  }

  @Test
  void lossesAreAsManyAsTheKernelCounts() throws Exception {
    Checks checks = new Checks();
    try (KernelCapture capture = RootOnly.capture("cswitch,ipc", SMALL_KB, complaints)) {
      capture.start();
      for (int i = 0; i < 10; i++) {
        RootOnly.shell("dd if=/dev/zero of=/dev/null bs=1 count=20000; true");
        capture.round(checks);
      }
      capture.finish(checks);
      assertThat(checks.lost).isPositive().isEqualTo(capture.kernelLost());
      assertThat(capture.lost()).isEqualTo(checks.lost);
    }
  }

  @Test
  void missingEventsAreSaidOnce() throws Exception {
    try (KernelCapture capture =
        RootOnly.capture("cswitch,sched:no_such,nothing:*", 1024, complaints)) {
      capture.enable(List.of("sched:no_such", "sched:sched_waking"));
      assertThat(complaints)
          .containsExactly("not in this kernel, so not recorded: events=sched:no_such,nothing:*");
      assertThat(capture.formats().stream().map(KernelEventFormat::toString))
          .contains("sched:sched_switch", "sched:sched_waking")
          .doesNotHaveDuplicates();
    }
  }

  @Test
  void eventsComeAndGoWhileTracing() throws Exception {
    try (KernelCapture capture = RootOnly.capture("task:task_rename", 1024, complaints)) {
      capture.start();
      Checks before = new Checks();
      RootOnly.shell("true");
      capture.round(before);
      List<KernelEventFormat> formats = capture.formats();
      capture.enable(List.of("sched:sched_switch"));
      RootOnly.shell("sleep 0.05");
      capture.disable(List.of("sched:sched_switch"));
      Checks during = new Checks();
      capture.round(during);
      capture.finish(during);
      assertThat(names(capture, before)).doesNotContain("sched_switch");
      assertThat(names(capture, during)).contains("sched_switch", "sched_process_exec");
      assertThat(capture.formats()).startsWith(formats.toArray(KernelEventFormat[]::new));
    }
  }

  @Test
  void twoAtOnce() throws Exception {
    Checks first = new Checks();
    Checks second = new Checks();
    try (KernelCapture a = RootOnly.capture("cswitch", 2048, complaints);
        KernelCapture b = RootOnly.capture("cswitch", 2048, complaints)) {
      a.start();
      b.start();
      RootOnly.shell("sleep 0.02; true | cat");
      a.finish(first);
      b.finish(second);
      assertThat(a.path()).isNotEqualTo(b.path());
    }
    assertThat(first.events).isPositive();
    assertThat(second.events).isPositive();
  }

  @Test
  void closedByAnotherThread() throws Exception {
    AtomicReference<Throwable> problem = new AtomicReference<>();
    try (KernelCapture capture = RootOnly.capture("cswitch", 1024, complaints)) {
      capture.start();
      CountDownLatch running = new CountDownLatch(1);
      Thread reader =
          new Thread(() -> {
            try {
              Checks checks = new Checks();
              while (Files.exists(capture.path())) {
                running.countDown();
                capture.round(checks);
              }
              capture.finish(checks);
            } catch (Exception | Error e) {
              problem.set(e);
            }
          });
      reader.start();
      running.await();
      capture.close();
      assertThat(capture.path()).doesNotExist();
      reader.join();
    }
    assertThat(problem.get()).isNull();
  }

  @Test
  void closesInInterruptedThreads() throws Exception {
    KernelCapture capture = RootOnly.capture("cswitch", 1024, complaints);
    capture.start();
    Thread.currentThread().interrupt();
    capture.close();
    assertThat(Thread.interrupted()).isTrue();
    assertThat(capture.path()).doesNotExist();
  }

  /** Whatever of a processor cannot be read does not hold up the others. */
  @Test
  void processorThatIsNotThere() throws Exception {
    PageLayout layout =
        PageLayout.parse(Tracefs.read(tracefs.root().resolve("events/header_page")));
    try (Arena arena = Arena.ofConfined();
        CpuReader reader = new CpuReader(tracefs.root(), 4095, layout, 64, arena)) {
      for (int round = 0; round < 3; round++) {
        assertThat(reader.read(1000 + round, 900 + round, complaints::add)).isFalse();
      }
      assertThat(reader.queue().bound()).isEqualTo(902);
      assertThat(reader.queue().hasItem()).isFalse();
      new Poller(List.of(reader.buffer()), arena).poll(1);
    }
    assertThat(complaints)
        .containsExactly(
            "kernel events of a processor cannot be read: cpu=4095 file=%s/per_cpu/cpu4095/trace_pipe_raw errno=2; it may be offline, its events are missing"
                .formatted(tracefs.root()));
  }

  @Test
  void failedOpenLeavesNothing() throws Exception {
    assertThatThrownBy(() ->
            KernelCapture.open(
                Service.parse("cswitch"), "sundial", System::nanoTime, 1024, complaints::add))
        .isInstanceOf(KernelException.class);
  }

  private static int[] ownThreads() throws IOException {
    try (Stream<Path> threads = Files.list(Path.of("/proc/self/task"))) {
      return threads.mapToInt(t -> Integer.parseInt(String.valueOf(t.getFileName()))).toArray();
    }
  }
}
