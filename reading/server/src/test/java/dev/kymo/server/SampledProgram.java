package dev.kymo.server;

import dev.kymo.format.Clock;
import dev.kymo.format.Definition;
import dev.kymo.format.EventKind;
import dev.kymo.testkit.RecordingBuilder;
import dev.kymo.testkit.StreamWriter;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** A program of a second with samples of two kinds on two threads, and one call. */
final class SampledProgram {
  private static final int MS = 1_000_000;
  private static final int TIME = 8;
  private static final int ALLOCATION = 9;

  private SampledProgram() {}

  /**
   * The main thread is seen every 10 ms, three times in sum (stack 3) and then once in run (stack
   * 2); the other one is seen in main (stack 1) every 100 ms, and allocates 1 KiB in sum 5 ms
   * later.
   */
  static RecordingBuilder recording() {
    RecordingBuilder r = new RecordingBuilder().process(1);
    r.clock(new Clock(Clock.MONOTONIC, 1_000_000_000L, 7));
    r.thread(1, 1, "main").thread(1, 2, "other");
    r.method(1, 1, "a.B", "main").method(1, 2, "a.B", "run").method(1, 3, "a.C", "sum");
    r.method(1, 4, "a.D", "called");
    r.stack(1, 1, 0, 1).stack(1, 2, 1, 2).stack(1, 3, 2, 3);
    r.define(1, new Definition.Subsystem(1, 1, Definition.Stack.SAMPLES, "", ""));
    int kind = EventKind.INSTANT.number();
    r.define(
        1, new Definition.Event(ALLOCATION, 1, 1, kind, "jdk.A", "", "u32 stack; u64 weight;"));
    r.define(
        1, new Definition.Event(TIME, 1, 2, kind, "jdk.ExecutionSample", "", "u32 stack; str s;"));
    StreamWriter main = r.ring(1, 0, 1).enter(0, 4);
    for (int i = 1; i <= 100; i++) {
      main.own((long) i * 10 * MS, TIME, sample(i % 4 == 0 ? 2 : 3).putShort((short) 0).array());
    }
    main.leave(1001L * MS, 4);
    StreamWriter other = r.ring(1, 1, 2);
    for (int i = 1; i <= 10; i++) {
      other.own((long) i * 100 * MS, TIME, sample(i == 10 ? 0 : 1).putShort((short) 0).array());
      other.own((long) (i * 100 + 5) * MS, ALLOCATION, allocation());
    }
    return r.end(1, 0);
  }

  private static ByteBuffer sample(int stack) {
    return ByteBuffer.allocate(6).order(ByteOrder.LITTLE_ENDIAN).putInt(stack);
  }

  private static byte[] allocation() {
    return ByteBuffer.allocate(12).order(ByteOrder.LITTLE_ENDIAN).putInt(3).putLong(1024).array();
  }
}
