package dev.kymo.testkit;

import dev.kymo.format.Definition;
import dev.kymo.format.KernelEventFormat;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A second of a program whose threads' states the kernel tells: every time is known, in
 * milliseconds.
 *
 * <pre>
 *   main    | order 100 .. 500 (query 200 .. 300)     | order 600 .. 700
 *   kernel  | running .. 150, blocked .. 250, runnable .. 280, running .. 290, nothing known .. 300,
 *           |   running .. 400, runnable .. 450, running .. 650, blocked .. 700, running .. 1000
 *   worker  | order 50 .. 450, 500 .. 520, 900 .. (has not ended)
 *   kernel  | running .. 300, blocked .. 480, runnable .. 490, running .. 600, blocked ..
 *   loner   | order 0 .. 40; of it the kernel tells nothing
 *   kworker | running 240 .. 260, 640 .. 705
 * </pre>
 */
public final class KernelProgram {
  public static final long MS = 1_000_000;

  /** Processes. */
  public static final int KERNEL = 1;

  public static final int JAVA = 2;

  /** Threads of both processes. */
  public static final int MAIN = 1;

  public static final int WORKER = 2;

  /** Thread of the program only, and of the kernel's process only. */
  public static final int LONER = 3;

  public static final int KWORKER = 3;
  public static final int CPU_0 = 8;
  public static final int CPU_1 = 9;

  private static final int RUN = 1;
  private static final int ORDER = 2;
  private static final int QUERY = 3;
  private static final int MONITOR = 4;
  private static final int STATES = 11;

  private final RecordingBuilder recording = new RecordingBuilder();
  private final KernelTracks kernel;

  private KernelProgram() {
    recording.process(JAVA);
    kernel = new KernelTracks(recording, KERNEL);
  }

  /** The recording. */
  public static RecordingBuilder recording() {
    KernelProgram program = new KernelProgram();
    program.calls();
    program.main();
    program.worker();
    program.others();
    return program.recording;
  }

  /** The same, with ten of the kernel's events of CPU 0, from 50 ms on, each 100 ms. */
  public static RecordingBuilder withKernelEvents() {
    RecordingBuilder recording = recording();
    addKernelEvents(recording);
    return recording;
  }

  /** Adds these. */
  public static void addKernelEvents(RecordingBuilder recording) {
    KernelEventFormat plain =
        recording.kernelEvent(
            KERNEL,
            "sched",
            """
            name: sched_plain
            ID: 7
            field:pid_t pid; offset:8; size:4; signed:1;
            """);
    for (int i = 0; i < 10; i++) {
      byte[] event = new byte[12];
      ByteBuffer.wrap(event).order(ByteOrder.LITTLE_ENDIAN).putInt(4, 2001).putInt(8, i);
      recording.cpu(KERNEL, 0).kernel((50 + 100L * i) * MS, 0, plain, event).close();
    }
  }

  private void calls() {
    recording.thread(JAVA, MAIN, "main").thread(JAVA, WORKER, "worker-1");
    recording.thread(JAVA, LONER, "loner").states(JAVA, STATES, MAIN, "main");
    recording.method(JAVA, RUN, "app.Main", "main").method(JAVA, ORDER, "app.Shop", "order");
    recording.method(JAVA, QUERY, "app.Db", "query");
    recording.define(JAVA, new Definition.Type(MONITOR, "monitor", "", ""));
    recording.define(JAVA, new Definition.Method(MONITOR, MONITOR, 0, 0, "app.Stock", ""));
    StreamWriter main = recording.ring(JAVA, MAIN, MAIN);
    main.enter(0, RUN).enter(100 * MS, ORDER).enter(200 * MS, QUERY).leave(300 * MS, QUERY);
    main.leave(500 * MS, ORDER).enter(600 * MS, ORDER).leave(700 * MS, ORDER);
    main.leave(1000 * MS, RUN);
    StreamWriter worker = recording.ring(JAVA, WORKER, WORKER);
    worker.enter(50 * MS, ORDER).leave(450 * MS, ORDER).enter(500 * MS, ORDER);
    worker.leave(520 * MS, ORDER).enter(900 * MS, ORDER);
    recording.ring(JAVA, LONER, LONER).enter(0, ORDER).leave(40 * MS, ORDER);
    recording
        .ring(JAVA, STATES, STATES)
        .enter(150 * MS, MONITOR)
        .detail(255 * MS, 0xbeef, 0)
        .leave(255 * MS, MONITOR);
  }

  private void main() {
    kernel.thread(MAIN, 1002, 2001, "java");
    begin(MAIN, 0, "CPU 0").state(MAIN, 110 * MS, 115 * MS, "interrupted", "timer");
    fault(120);
    end(MAIN, 150, "CPU 0").state(MAIN, 150 * MS, 250 * MS, "blocked", "futex", WORKER);
    kernel.state(MAIN, 250 * MS, 280 * MS, "runnable", "woken", KWORKER);
    begin(MAIN, 280, "CPU 1").state(MAIN, 280 * MS, 280 * MS, "handed", "CPU", WORKER);
    end(MAIN, 290, "CPU 1");
    begin(MAIN, 300, "CPU 0").state(MAIN, 390 * MS, 400 * MS, "interrupted", "irq virtio0-input");
    end(MAIN, 400, "CPU 0").state(MAIN, 400 * MS, 450 * MS, "runnable", "preempted", WORKER);
    begin(MAIN, 450, "CPU 0");
    fault(499);
    fault(500);
    end(MAIN, 650, "CPU 0").state(MAIN, 650 * MS, 700 * MS, "blocked", "I/O", KWORKER);
    run(MAIN, 700, 1000, "CPU 1");
  }

  private void worker() {
    kernel.thread(WORKER, 1002, 2002, "worker-1");
    run(WORKER, 0, 300, "CPU 1").state(WORKER, 300 * MS, 480 * MS, "blocked", "futex", MAIN);
    kernel.state(WORKER, 480 * MS, 490 * MS, "runnable", "woken", KWORKER);
    run(WORKER, 490, 600, "CPU 1").enter(WORKER, 600 * MS, "blocked", "epoll_wait");
  }

  private void others() {
    kernel.thread(KWORKER, 7, 7, "kworker/0:1");
    run(KWORKER, 240, 260, "CPU 0");
    run(KWORKER, 640, 705, "CPU 0");
    kernel.cpu(CPU_0, 0).cpu(CPU_1, 1);
    kernel.enter(CPU_0, 0, "thread", "java 2001");
    kernel.state(CPU_0, 110 * MS, 115 * MS, "interrupt", "timer");
    kernel.leave(CPU_0, 150 * MS, "thread", "java 2001");
    kernel.state(CPU_0, 200 * MS, 205 * MS, "interrupt", "timer");
    kernel.state(CPU_0, 240 * MS, 260 * MS, "thread", "kworker/0:1 7");
    kernel.enter(CPU_0, 300 * MS, "thread", "java 2001");
    kernel.state(CPU_0, 390 * MS, 400 * MS, "interrupt", "irq virtio0-input");
    kernel.leave(CPU_0, 400 * MS, "thread", "java 2001");
    kernel.state(CPU_0, 450 * MS, 640 * MS, "thread", "java 2001");
    kernel.state(CPU_0, 640 * MS, 705 * MS, "thread", "kworker/0:1 7");
    kernel.state(CPU_1, 0, 280 * MS, "thread", "worker-1 2002");
    kernel.state(CPU_1, 280 * MS, 290 * MS, "thread", "java 2001");
    kernel.state(CPU_1, 490 * MS, 600 * MS, "thread", "worker-1 2002");
    kernel.state(CPU_1, 700 * MS, 1000 * MS, "thread", "java 2001");
  }

  private KernelTracks begin(int thread, long at, String cpu) {
    return kernel.enter(thread, at * MS, "running", cpu);
  }

  private KernelTracks end(int thread, long at, String cpu) {
    return kernel.leave(thread, at * MS, "running", cpu);
  }

  private KernelTracks run(int thread, long from, long to, String cpu) {
    begin(thread, from, cpu);
    return end(thread, to, cpu);
  }

  private void fault(long at) {
    kernel.state(MAIN, at * MS, at * MS, "fault", "page fault");
  }
}
