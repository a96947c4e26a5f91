package dev.kymo.analysis.events;

import dev.kymo.format.Definition;
import dev.kymo.format.EventKind;
import dev.kymo.format.KernelEventFormat;
import dev.kymo.model.definitions.TrackKind;
import dev.kymo.testkit.KernelTracks;
import dev.kymo.testkit.RecordingBuilder;
import dev.kymo.testkit.StreamWriter;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A random program of which everything is recorded: calls, waits, events of its own, messages, what
 * kernel, processors and virtual machine did. Keeps a list of what a reader is to find.
 */
final class RandomProgram {
  private static final int PROGRAM = 1;
  private static final int KERNEL = 2;

  /** Numbers of the threads' states are above this, and those of processors and the rest. */
  private static final int STATES = 20;

  private static final int CPU = 40;
  private static final int GC = 60;
  private static final int METHODS = 5;
  private static final int MONITOR = 10;
  private static final int PAUSE = 11;
  private static final int MARK = 20;
  private static final int WORK = 21;
  private static final int LENGTH = 22;
  private static final int ASK = 23;
  private static final int GOT = 24;
  private static final String[] OWN = {
    "disk.MARK", "disk.WORK", "disk.LENGTH", "bus.ASK", "bus.GOT"
  };

  /**
   * What a list is to have of one event.
   *
   * @param group what it belongs to
   * @param of the track's kind and thread
   * @param other name of the thread that has to do with it; empty if there is none
   */
  record Row(
      long time,
      EventGroup group,
      int kind,
      TrackKind of,
      String thread,
      String method,
      long duration,
      String other,
      String text) {}

  private final SplittableRandom random;
  private final int threads;
  private final RecordingBuilder recording = new RecordingBuilder().packetSize(4096);
  private final KernelTracks kernel;
  private final KernelEventFormat irqEntry;
  private final KernelEventFormat timerStart;
  private final List<Row> rows = new ArrayList<>();
  private final List<Deque<Open>> calls = new ArrayList<>();

  /** By thread, and of the kernel's: when what is now began. */
  private final long[] waiting;

  private final Kernel[] scheduled;
  private final long[] busy = {-1, -1};
  private final List<Message> onTheWay = new ArrayList<>();
  private long pause = -1;
  private long now;
  private int keys;

  private record Open(int method, String name, int row, long begin) {}

  private record Kernel(long begin, String kind) {}

  private record Message(int key, int sender, long sent, int row) {}

  RandomProgram(long seed, int threads, int steps) {
    this.random = new SplittableRandom(seed);
    this.threads = threads;
    this.waiting = new long[threads + 1];
    this.scheduled = new Kernel[threads + 1];
    define();
    kernel = new KernelTracks(recording, KERNEL);
    for (int thread = 0; thread <= threads; thread++) {
      waiting[thread] = -1;
      calls.add(new ArrayDeque<>());
      if (thread > 0) {
        kernel.thread(thread, 1001, 2000 + thread, name(thread));
      }
    }
    kernel.cpu(CPU, 0).cpu(CPU + 1, 1);
    irqEntry = format("irq", "irq_entry", "");
    timerStart = format("timer", "timer_start", "\nfield:u32 more; offset:12; size:4; signed:0;");
    enter(1);
    for (int i = 0; i < steps; i++) {
      now += random.nextInt(4) == 0 ? random.nextInt(3000) : random.nextInt(3);
      step(1 + random.nextInt(threads));
    }
    end();
  }

  /** What is on disk. */
  RecordingBuilder recording() {
    return recording;
  }

  /** What is to be found in it, in the order of time. */
  List<Row> rows() {
    return rows;
  }

  private void define() {
    recording.process(PROGRAM);
    for (int method = 1; method <= METHODS; method++) {
      recording.method(PROGRAM, method, "app.Type" + method % 2, "method" + method);
    }
    for (int thread = 1; thread <= threads; thread++) {
      recording.thread(PROGRAM, thread, name(thread));
      recording.states(PROGRAM, STATES + thread, thread, name(thread));
    }
    recording.jvm(PROGRAM, GC, "GC");
    state(MONITOR, "monitor", "app.Stock");
    state(PAUSE, "GC", "pause");
    recording.define(PROGRAM, new Definition.Subsystem(1, 5, "disk", "", ""));
    recording.define(PROGRAM, new Definition.Subsystem(2, 6, "bus", "", ""));
    event(1, MARK, EventKind.INSTANT.number(), "u64 at;");
    event(1, WORK, EventKind.BEGIN.number(), "");
    event(1, LENGTH, EventKind.COUNTER.number(), "u64 jobs;");
    event(2, ASK, EventKind.SEND.number(), "u64 key;");
    event(2, GOT, EventKind.RECEIVE.number(), "u64 key;");
  }

  private void state(int number, String type, String name) {
    recording.define(PROGRAM, new Definition.Type(number, type, "", ""));
    recording.define(PROGRAM, new Definition.Method(number, number, 0, 0, name, ""));
  }

  private void event(int subsystem, int number, int kind, String fields) {
    String name = OWN[number - MARK].substring(OWN[number - MARK].indexOf('.') + 1);
    recording.define(
        PROGRAM, new Definition.Event(number, subsystem, number, kind, name, "", fields));
  }

  private static String name(int thread) {
    return "thread-" + thread;
  }

  private StreamWriter ring(int thread) {
    return recording.ring(PROGRAM, thread, thread);
  }

  private void step(int thread) {
    switch (random.nextInt(11)) {
      case 0, 1, 2 -> {
        if (calls.get(thread).isEmpty() || (calls.get(thread).size() < 6 && random.nextBoolean())) {
          enter(thread);
        } else {
          leave(thread, random.nextInt(5) == 0);
        }
      }
      case 3 -> own(thread, MARK, EventGroup.OWN, RecordedEvent.EVENT, "at");
      case 4 -> own(thread, LENGTH, EventGroup.COUNTERS, RecordedEvent.COUNTER, "jobs");
      case 5 -> send(thread);
      case 6 -> receive(thread);
      case 7 -> toggleWait(thread);
      case 8 -> schedule(thread);
      case 9 -> kernelEvent(random.nextInt(2));
      default -> {
        toggleProcessor(random.nextInt(2));
        togglePause();
      }
    }
  }

  private void enter(int thread) {
    int method = random.nextInt(6) == 0 ? WORK : 1 + random.nextInt(METHODS);
    String name = method == WORK ? "disk.WORK" : "app.Type" + method % 2 + ".method" + method;
    EventGroup group = method == WORK ? EventGroup.OWN : EventGroup.CALLS;
    calls.get(thread).push(new Open(method, name, rows.size(), now));
    ring(thread).enter(now, method);
    row(group, RecordedEvent.ENTER, TrackKind.CALLS, name(thread), name, 0, "", "");
  }

  private void leave(int thread, boolean thrown) {
    Open open = calls.get(thread).pop();
    int kind = thrown ? RecordedEvent.UNWIND : RecordedEvent.LEAVE;
    if (thrown) {
      ring(thread).unwind(now, open.method);
    } else {
      ring(thread).leave(now, open.method);
    }
    Row begun = rows.get(open.row);
    rows.set(open.row, lasting(begun, now - open.begin, ""));
    row(begun.group, kind, TrackKind.CALLS, begun.thread, open.name, now - open.begin, "", "");
  }

  private void own(int thread, int event, EventGroup group, int kind, String field) {
    long value = random.nextInt(1000);
    ring(thread).own(now, event, value);
    String text = field + "=" + value;
    row(group, kind, TrackKind.CALLS, name(thread), OWN[event - MARK], 0, "", text);
  }

  private void send(int thread) {
    now++; // of two that one thread sends at one time nobody knows which is which
    int key = ++keys;
    ring(thread).own(now, ASK, key);
    onTheWay.add(new Message(key, thread, now, rows.size()));
    message(RecordedEvent.SENT, thread, "bus.ASK", 0, "", key);
  }

  private void receive(int thread) {
    if (onTheWay.isEmpty()) {
      return;
    }
    Message message = onTheWay.remove(random.nextInt(onTheWay.size()));
    now++;
    long took = now - message.sent;
    ring(thread).own(now, GOT, message.key);
    rows.set(message.row, lasting(rows.get(message.row), took, name(thread)));
    message(RecordedEvent.RECEIVED, thread, "bus.GOT", took, name(message.sender), message.key);
  }

  private void message(int kind, int thread, String name, long took, String other, int key) {
    row(EventGroup.MESSAGES, kind, TrackKind.CALLS, name(thread), name, took, other, "key=" + key);
  }

  private void toggleWait(int thread) {
    long begin = waiting[thread];
    waiting[thread] = begin < 0 ? now : -1;
    if (begin >= 0) {
      wait(thread, begin, random.nextBoolean() ? 1 + random.nextInt(threads) : 0);
    }
  }

  private void wait(int thread, long begin, int other) {
    StreamWriter ring = ring(STATES + thread).enter(begin, MONITOR);
    if (other > 0) {
      ring.detail(now, 0xbeef, other);
    }
    ring.leave(now, MONITOR);
    String by = other > 0 ? name(other) : "";
    state(begin, EventGroup.WAITS, TrackKind.STATES, name(thread), "monitor.app.Stock", by);
    if (other > 0) {
      woken(begin, TrackKind.STATES, thread, "monitor.app.Stock", by);
    }
  }

  /** The kernel's states of a thread follow each other. */
  private void schedule(int thread) {
    Kernel state = scheduled[thread];
    String[] kinds = {"running", "blocked", "runnable"};
    String next = kinds[random.nextInt(3)];
    scheduled[thread] = new Kernel(now, next);
    if (state != null) {
      int other = state.kind.equals("running") ? 0 : random.nextInt(threads + 1);
      told(thread, state, other);
      if (next.equals("running") && random.nextInt(4) == 0) {
        handOff(thread, 1 + random.nextInt(threads));
      }
    }
  }

  private void told(int thread, Kernel state, int other) {
    String name = state.kind + ".why";
    String by = other > 0 ? name(other) : "";
    if (other > 0) {
      kernel.state(thread, state.begin, now, state.kind, "why", other);
    } else {
      kernel.state(thread, state.begin, now, state.kind, "why");
    }
    state(state.begin, EventGroup.SCHEDULED, TrackKind.SCHEDULED, name(thread), name, by);
    if (other > 0 && state.kind.equals("blocked")) {
      woken(state.begin, TrackKind.SCHEDULED, thread, name, by);
    }
  }

  /** Told at once, before the running in which it is. */
  private void handOff(int thread, int other) {
    kernel.state(thread, now, now, "handed", "CPU", other);
    woken(now, TrackKind.SCHEDULED, thread, "handed.CPU", name(other));
  }

  private void toggleProcessor(int cpu) {
    long begin = busy[cpu];
    busy[cpu] = begin < 0 ? now : -1;
    if (begin >= 0) {
      kernel.state(CPU + cpu, begin, now, "thread", "job");
      state(begin, EventGroup.CPU, TrackKind.CPU, "CPU " + cpu, "thread.job", "");
    }
  }

  private void togglePause() {
    long begin = pause;
    pause = begin < 0 ? now : -1;
    if (begin >= 0) {
      // For whom it was, who did not end it.
      int whose = random.nextInt(threads + 1);
      ring(GC).enter(begin, PAUSE);
      if (whose > 0) {
        ring(GC).detail(now, 0, whose);
      }
      ring(GC).leave(now, PAUSE);
      state(begin, EventGroup.JVM, TrackKind.JVM, "GC", "GC.pause", whose > 0 ? name(whose) : "");
    }
  }

  /** As the kernel has it; of the second kind, longer ones. */
  private void kernelEvent(int cpu) {
    boolean second = random.nextInt(3) == 0;
    int value = random.nextInt(1000);
    byte[] bytes = new byte[second ? 16 : 12];
    ByteBuffer event = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    event.putInt(4, 2000 + cpu).putInt(8, value);
    recording.cpu(KERNEL, cpu).kernel(now, second ? 1 : 0, second ? timerStart : irqEntry, bytes);
    String name = second ? "timer.timer_start" : "irq.irq_entry";
    String text = "tid=%d value=%d%s".formatted(2000 + cpu, value, second ? " more=0" : "");
    row(EventGroup.KERNEL, RecordedEvent.KERNEL, TrackKind.CPU, "CPU " + cpu, name, 0, "", text);
  }

  private KernelEventFormat format(String subsystem, String name, String more) {
    String field = "field:int value; offset:8; size:4; signed:1;";
    return recording.kernelEvent(
        KERNEL, subsystem, "name: %s\nID: 7\n%s%s\n".formatted(name, field, more));
  }

  private void end() {
    now++;
    for (int cpu = 0; cpu < 2; cpu++) {
      if (busy[cpu] >= 0) {
        toggleProcessor(cpu);
      }
    }
    for (int thread = 1; thread <= threads; thread++) {
      while (!calls.get(thread).isEmpty()) {
        leave(thread, false);
      }
    }
    rows.sort((a, b) -> Long.compare(a.time, b.time));
  }

  private void state(
      long begin, EventGroup group, TrackKind of, String thread, String method, String other) {
    rows.add(
        new Row(begin, group, RecordedEvent.STATE, of, thread, method, now - begin, other, ""));
  }

  private void woken(long begin, TrackKind of, int thread, String method, String other) {
    row(EventGroup.WAKES, RecordedEvent.WOKEN, of, name(thread), method, now - begin, other, "");
  }

  private void row(
      EventGroup group,
      int kind,
      TrackKind of,
      String thread,
      String method,
      long duration,
      String other,
      String text) {
    rows.add(new Row(now, group, kind, of, thread, method, duration, other, text));
  }

  private static Row lasting(Row row, long duration, String other) {
    return new Row(
        row.time, row.group, row.kind, row.of, row.thread, row.method, duration, other, row.text);
  }
}
