package dev.kymo.importers.perf;

import dev.kymo.importers.tracedat.MadeTrace;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Makes the bytes of perf.data in pipe mode: an attribute, then records. */
final class MadePerf {
  private static final int ATTRIBUTE = 64;
  private static final int ID = 77;
  private static final long SAMPLE_ID_ALL = 1L << 18;
  private static final long TID = 2;
  private static final long TIME = 4;
  private static final long CALLS = 32;
  private static final long CPU = 128;
  private static final long RAW = 1024;

  private final ByteBuffer to;
  private final MadeTrace trace;
  private final boolean calls;

  /**
   * A file whose samples are those of a tracepoint.
   *
   * @param calls whether samples have call chains
   */
  MadePerf(boolean bigEndian, boolean calls) {
    this.trace = new MadeTrace(bigEndian, Long.BYTES, "");
    this.calls = calls;
    to =
        ByteBuffer.allocate(1 << 16)
            .order(bigEndian ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN);
    byte[] magic = "PERFILE2".getBytes(StandardCharsets.ISO_8859_1);
    to.put(magic).putLong(16);
    record(64, 0, ATTRIBUTE + 8);
    to.putInt(2).putInt(ATTRIBUTE).putLong(MadeTrace.SWITCH).putLong(1);
    to.putLong(TID | TIME | CPU | RAW | (calls ? CALLS : 0)).putLong(0);
    to.putLong(SAMPLE_ID_ALL).putLong(0).putLong(0);
    to.putLong(ID);
    name("sched:sched_switch");
  }

  private void record(int type, int misc, int body) {
    to.putInt(type).putShort((short) misc).putShort((short) (8 + body));
  }

  private void name(String name) {
    record(78, 0, 16 + 24);
    to.putLong(2).putLong(ID).put(Arrays.copyOf(name.getBytes(StandardCharsets.ISO_8859_1), 24));
  }

  /** The event has another name, and what it is of is no tracepoint. */
  MadePerf withoutSwitches() {
    to.putInt(24, 1).putLong(32, 9); // software, dummy
    name("dummy:HG");
    return this;
  }

  /** The formats of the kernel's events. */
  MadePerf formats() {
    byte[] bytes = trace.perfMetadata();
    record(66, 0, 4);
    to.putInt(bytes.length).put(bytes);
    to.position(to.position() + (-bytes.length & 7));
    return this;
  }

  /** Who and when, as all records end. */
  private MadePerf ids(int tid, long time, int cpu) {
    to.putInt(tid).putInt(tid).putLong(time).putInt(cpu).putInt(0);
    return this;
  }

  MadePerf comm(int tid, String name) {
    record(3, 0, 8 + 16 + 24);
    byte[] text = Arrays.copyOf(name.getBytes(StandardCharsets.ISO_8859_1), 16);
    to.putInt(tid).putInt(tid).put(text);
    return ids(0, 0, 0);
  }

  /** A sample of a switch of threads. */
  MadePerf sample(long time, int cpu, int from, int state, int next, String name) {
    byte[] raw = trace.switches(from, state, next, name).array();
    int padded = (raw.length + 4 + 7 & ~7) - 4;
    record(9, 1, 24 + (calls ? 32 : 0) + 4 + padded);
    ids(from, time, cpu);
    if (calls) {
      to.putLong(3).putLong(-128).putLong(0x1010).putLong(0x2020);
    }
    to.putInt(padded).put(Arrays.copyOf(raw, padded));
    return this;
  }

  /** perf's record of a switch on a processor, of a thread that stops. */
  MadePerf stops(long time, int cpu, int tid, boolean preempted, int next) {
    record(15, 1 << 13 | (preempted ? 1 << 14 : 0), 8 + 24);
    to.putInt(next).putInt(next);
    return ids(tid, time, cpu);
  }

  /** The same of a thread that begins to run. */
  MadePerf runs(long time, int cpu, int tid, int before) {
    record(15, 0, 8 + 24);
    to.putInt(before).putInt(before);
    return ids(tid, time, cpu);
  }

  byte[] bytes() {
    return Arrays.copyOf(to.array(), to.position());
  }
}
