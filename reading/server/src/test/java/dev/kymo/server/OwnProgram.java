package dev.kymo.server;

import dev.kymo.format.Definition;
import dev.kymo.format.Definition.TracedThread;
import dev.kymo.format.EventKind;
import dev.kymo.testkit.RecordingBuilder;
import dev.kymo.testkit.StreamWriter;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * A second of a program with events of its own: instants, counters, spans and messages; and two
 * processors that send each other messages. {@code viewer/test/browser/own.test.ts} knows the same
 * times.
 */
public final class OwnProgram {
  static final long MS = 1_000_000;

  /** How often TICK came between 600 and 700 ms. */
  static final int TICKS = 10_000;

  private static final int RUN = 1;
  private static final int SHELL = 2;
  private static final int DRIVER = 3;
  private static final int MARK = 11;
  private static final int ALLOC = 12;
  private static final int READ = 13;
  private static final int TICK = 14;
  private static final int ASK = 15;
  private static final int GOT = 16;
  private static final int LENGTH = 17;
  private static final int LOAD = 18;
  private static final int OPEN = 19;

  private final RecordingBuilder recording = new RecordingBuilder();

  private OwnProgram() {}

  public static RecordingBuilder recording() {
    OwnProgram program = new OwnProgram();
    program.define();
    program.main();
    program.worker();
    program.processors();
    return program.recording;
  }

  private void define() {
    recording.process(1).thread(1, 1, "main").thread(1, 2, "worker");
    recording.method(1, RUN, "app.Main", "run");
    events(1);
    recording.define(2, new Definition.TracedProcess(2, 0, 0, "a machine", ""));
    for (int cpu = 0; cpu < 2; cpu++) {
      recording.define(2, new TracedThread(cpu + 1, TracedThread.CPU, 0, cpu, "core " + cpu));
    }
    recording.define(2, new Definition.Type(1, "thread", "", ""));
    recording.define(2, new Definition.Method(SHELL, 1, 0, 0, "shell", ""));
    recording.define(2, new Definition.Method(DRIVER, 1, 0, 0, "driver", ""));
    events(2);
  }

  private void events(int process) {
    recording.define(process, new Definition.Subsystem(1, 5, "disk", "I/O", "#d04040"));
    recording.define(process, new Definition.Subsystem(2, 6, "queue", "", ""));
    recording.define(process, new Definition.Subsystem(3, 7, "bus", "network", ""));
    event(process, 1, MARK, EventKind.INSTANT.number(), "MARK", "");
    event(process, 1, ALLOC, EventKind.INSTANT.number(), "ALLOC", "u64 size; str owner;");
    event(process, 1, READ, EventKind.BEGIN.number(), "READ", "");
    event(process, 2, TICK, EventKind.INSTANT.number(), "TICK", "");
    event(process, 3, ASK, EventKind.SEND.number(), "ASK", "u64 key;");
    event(process, 3, GOT, EventKind.RECEIVE.number(), "GOT", "u64 key;");
    event(process, 2, LENGTH, EventKind.COUNTER.number(), "LENGTH", "u32 jobs;");
    event(process, 2, LOAD, EventKind.COUNTER.number(), "LOAD", "f64 percent;");
    event(process, 2, OPEN, EventKind.COUNTER.number(), "OPEN", "bool open;");
  }

  private void event(int process, int subsystem, int number, int kind, String name, String fields) {
    String description = name.equals("ALLOC") ? "a block of memory was taken" : "";
    recording.define(
        process, new Definition.Event(number, subsystem, number, kind, name, description, fields));
  }

  private void main() {
    StreamWriter ring = recording.ring(1, 1, 1).enter(0, RUN);
    ring.own(100 * MS, MARK, 0xabc).own(200 * MS, ASK, 1);
    ring.own(300 * MS, ALLOC, allocation(4096, "<b>cache</b>"));
    ring.enter(400 * MS, READ).own(400 * MS, READ, 7).leave(500 * MS, READ);
    for (int i = 0; i < TICKS; i++) {
      ring.own(600 * MS + i * 10_000L, i % 10 == 9 ? MARK : TICK, i);
    }
    ring.own(750 * MS, ASK, 2).own(800 * MS, 99, 1).leave(1000 * MS, RUN);
  }

  private static byte[] allocation(long size, String owner) {
    byte[] text = owner.getBytes(StandardCharsets.UTF_8);
    ByteBuffer data = ByteBuffer.allocate(10 + text.length).order(ByteOrder.LITTLE_ENDIAN);
    return data.putLong(size).putShort((short) text.length).put(text).array();
  }

  /** Its queue grows and shrinks; once, for a microsecond, it is very long. */
  private void worker() {
    StreamWriter ring = recording.ring(1, 2, 2).enter(50 * MS, RUN);
    ring.own(60 * MS, OPEN, 0);
    for (int i = 10; i <= 90; i++) {
      long at = 10L * i * MS;
      ring.own(at, LENGTH, 20 + i % 20);
      if (i % 7 == 0) {
        ring.own(at + 1, LOAD, Double.doubleToRawLongBits(Math.sin(i / 12.0)));
      }
      between(ring, at);
    }
    ring.leave(950 * MS, RUN);
  }

  private static void between(StreamWriter ring, long at) {
    if (at == 260 * MS) {
      ring.own(at + 5 * MS, GOT, 1).own(at + 6 * MS, OPEN, 1);
    } else if (at == 550 * MS) {
      ring.own(at + 5 * MS, LENGTH, 500).own(at + 5 * MS + 1000, LENGTH, 3);
    } else if (at == 730 * MS) {
      ring.own(at + 5 * MS, GOT, 2).own(at + 6 * MS, OPEN, 0);
    }
  }

  private void processors() {
    for (int core = 0; core < 2; core++) {
      StreamWriter ring = recording.ring(2, core + 1, core + 1);
      for (int i = 0; i < 10; i++) {
        long at = (i * 100L + core * 20L) * MS;
        int app = i % 2 == core ? SHELL : DRIVER;
        ring.enter(at, app).own(at + 30 * MS, core == i % 2 ? ASK : GOT, 100 + i);
        ring.own(at + 40 * MS, LENGTH, i).leave(at + 80 * MS, app);
      }
    }
  }
}
