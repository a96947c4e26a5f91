package dev.kymo.model.timeline;

import dev.kymo.format.CountRecord;
import dev.kymo.format.CountersLayout;
import dev.kymo.format.Definition;
import dev.kymo.format.Definition.MethodMode;
import dev.kymo.format.EventKind;
import dev.kymo.format.KernelEventFormat;
import dev.kymo.format.KernelRecord;
import dev.kymo.format.NoticeCode;
import dev.kymo.format.PacketLayout;
import dev.kymo.testkit.RecordingBuilder;
import dev.kymo.testkit.StreamWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** How the damaged recordings of {@code corpus/fail} came to be. */
final class CorpusCases {
  private static final String RING = "p1-ring-0";
  private static final String DEFINITIONS = "p1-definitions";
  private static final String METADATA = "metadata";

  /** Three packets of eight records each: 88 + 64 bytes. */
  private static final int PACKET = 152;

  private final Map<String, Consumer<Path>> cases = new LinkedHashMap<>();

  /** Writers of recordings by the name of the case. */
  static Map<String, Consumer<Path>> all() {
    CorpusCases all = new CorpusCases();
    all.packets();
    all.sizes();
    all.clocks();
    all.order();
    all.definitions();
    all.details();
    all.counts();
    all.kernel();
    all.own();
    all.streams();
    all.metadata();
    return all.cases;
  }

  /** A native program with a library, of which only one was found afterwards. */
  static RecordingBuilder functions() {
    RecordingBuilder r = new RecordingBuilder();
    int names = Definition.Type.FIRST_OF_NAMES;
    r.define(0, new Definition.Recording("0.1", "./app", "host", "6.18", "a cpu", 2, "discard"));
    r.define(1, new Definition.TracedProcess(1, 1001, 1, "./app", "native")).thread(1, 1, "app");
    r.define(1, new Definition.Type(1, "", "/home/app", "00ff00ff"));
    r.define(1, new Definition.Method(1, 1, 0, 0, "_ZN3app3runEi", "+0x1139"));
    r.define(1, new Definition.Method(2, 1, 0, 0, "main", "+0x1150"));
    r.define(1, new Definition.Type(2, "libz.so.1.2.13", "/lib/libz.so.1.2.13", ""));
    r.define(1, new Definition.Method(3, 2, 0, 0, "deflate+0x12", "+0x2012"));
    r.names(1, new Definition.Type(names, "", "/home/app", "app.cc"));
    r.names(1, new Definition.Method(1, names, 7, 0, "app::run", "(int)"));
    r.names(1, new Definition.Method(2, names, 12, 0, "main", ""));
    r.define(1, new Definition.Method(4, 1, 0, 0, "_ZN3app3runEi", "+0x1143"));
    r.define(1, new Definition.CodeLocation(0x55c2_cfeb_8144L, 4));
    r.names(1, new Definition.Method(4, names, 9, 0, "app::run", "(int)"));
    r.ring(1, 1, 1).enter(100, 2).enter(110, 1).enter(120, 3);
    r.ring(1, 1, 1).leave(130, 3).leave(140, 1).leave(150, 2);
    return r;
  }

  private void packets() {
    damage("bad-magic", RING, b -> b.putInt(PACKET, 0x12345678));
    damage("wrong-uuid", RING, b -> b.putLong(PACKET + PacketLayout.UUID_OFFSET, 7));
    damage("wrong-stream-class", RING, b -> b.putInt(PACKET + 20, 0));
    damage("wrong-process", RING, b -> b.putInt(PACKET + PacketLayout.PROCESS_OFFSET, 99));
    damage("cut-packet", RING, b -> b.limit(2 * PACKET + 100));
    damage("cut-header", RING, b -> b.limit(2 * PACKET + 40));
    damage("unknown-record", RING, b -> b.put(PACKET + 88 + 16, (byte) 77));
    damage("only-rubbish", RING, b -> fill(b, 0, b.limit()));
  }

  private void sizes() {
    damage("absurd-size", RING, b -> b.putLong(PACKET + PacketLayout.PACKET_SIZE_OFFSET, 1L << 62));
    damage("size-too-large", RING, b -> b.putLong(PacketLayout.PACKET_SIZE_OFFSET, 8L * 200));
    damage("size-too-small", RING, b -> sizes(b, 0, 104));
    damage("no-size", RING, b -> sizes(b, PACKET, 0));
    damage("cut-record", RING, b -> b.putLong(PacketLayout.CONTENT_SIZE_OFFSET, 8L * 149));
  }

  private void clocks() {
    damage("ends-before-it-begins", RING, b -> b.putLong(PACKET + PacketLayout.END_OFFSET, 5));
    damage("clock-backwards", RING, b -> b.putLong(PACKET + PacketLayout.BEGIN_OFFSET, 105));
    damage("clock-outside-packet", RING, b -> b.putInt(PACKET + 88 + 17, 0x700000));
    cases.put(
        "two-places",
        path -> {
          RecordingBuilder r = base();
          r.ring(1, 1, 2).switchTo(110, 1).enter(120, 1).leave(130, 1);
          r.write(path);
        });
  }

  private void streams() {
    cases.put(
        "missing-stream",
        path -> base().define(0, new Definition.Stream("p1-ring-9", 4096)).write(path));
    cases.put(
        "short-stream", path -> base().define(0, new Definition.Stream(RING, 4096)).write(path));
    cases.put(
        "slice-of-damaged",
        path -> {
          String was = "p1-ring-3: no packet begins here: offset=0; skipped to the next packet";
          String text = NoticeCode.DAMAGED_SOURCE.text() + was;
          base().define(0, new Definition.Notice(0, text)).write(path);
        });
    cases.put(
        "stream-is-a-link",
        path -> {
          base().write(path);
          try {
            Files.deleteIfExists(path.resolve("p1-ring-7"));
            Files.createSymbolicLink(path.resolve("p1-ring-7"), Path.of("/etc/passwd"));
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
  }

  private void order() {
    cases.put("missing-packets", path -> ring(path, w -> w.skipPackets(3)));
    cases.put("lost-events", path -> ring(path, w -> w.lose(42)));
    damage("repeated-packet", RING, b -> b.putLong(PACKET + PacketLayout.SEQUENCE_OFFSET, 0));
    damage("loss-backwards", RING, b -> b.putLong(PacketLayout.LOST_OFFSET, 1000));
    cases.put(
        "unmatched",
        path -> {
          RecordingBuilder r = base();
          r.ring(1, 1, 2).leave(100, 1).enter(110, 1).enter(120, 2).leave(130, 1).enter(140, 3);
          r.write(path);
        });
    cases.put(
        "undefined",
        path -> {
          RecordingBuilder r = base();
          r.ring(1, 1, 12).enter(100, 77).leave(110, 77);
          r.write(path);
        });
  }

  private void definitions() {
    damage("definition-without-header", DEFINITIONS, b -> b.put(88, (byte) 3));
    damage("definition-of-unknown-id", DEFINITIONS, b -> b.putInt(89, 99));
    damage(
        "definition-cut", DEFINITIONS, b -> b.putLong(PacketLayout.CONTENT_SIZE_OFFSET, 8L * 120));
    cases.put(
        "string-without-end",
        path -> {
          RecordingBuilder r = base();
          r.define(1, new Definition.Notice(1, "x".repeat(4096)));
          r.define(1, new Definition.Notice(1, "y".repeat(4096)));
          r.write(path);
          change(path, DEFINITIONS, b -> endString(b));
        });
  }

  private void details() {
    cases.put(
        "detail-cut",
        path -> {
          RecordingBuilder r = base();
          r.states(1, 11, 1, "main").ring(1, 1, 11).enter(100, 1).detail(110, 7, 12).leave(110, 1);
          r.write(path);
          // Eight bytes of the enter, eight of the detail's word and two of what follows.
          change(path, "p1-ring-1", b -> b.putLong(PacketLayout.CONTENT_SIZE_OFFSET, 8L * 106));
        });
    cases.put(
        "detail-without-state",
        path -> {
          RecordingBuilder r = base();
          r.states(1, 11, 1, "main").ring(1, 1, 11).detail(110, 7, 12).leave(110, 1);
          r.write(path);
        });
  }

  private void own() {
    int second = PacketLayout.HEADER_SIZE + 16; // an event of sixteen bytes comes first
    own("event-cut", b -> b.putLong(PacketLayout.CONTENT_SIZE_OFFSET, 8L * (second - 2)));
    own("event-data-cut", b -> b.putLong(PacketLayout.CONTENT_SIZE_OFFSET, 8L * (second + 20)));
    own("event-data-too-long", b -> b.putInt(second + 8, 1 << 20));
    own("event-data-negative", b -> b.putInt(second + 8, -8));
    own("event-data-size-wrong", b -> b.putInt(second + 12, 0));
    own("event-undefined", b -> b.put(second + 5, (byte) 99));
  }

  private void own(String name, Consumer<ByteBuffer> change) {
    cases.put(
        name,
        path -> {
          RecordingBuilder r = new RecordingBuilder().at(90);
          r.process(1).thread(1, 1, "main");
          ownEvents(r).ring(1, 0, 1).own(120, 11, 7);
          r.write(path);
          change(path, RING, change);
        });
  }

  /** With two kinds of events of the program's own, one of each. */
  static RecordingBuilder ownEvents(RecordingBuilder r) {
    r.define(1, new Definition.Subsystem(1, 5, "disk", "I/O", "#d04040"));
    r.define(1, new Definition.Event(11, 1, 0, EventKind.INSTANT.number(), "MARK", "a mark", ""));
    r.define(
        1, new Definition.Event(12, 1, 1, EventKind.INSTANT.number(), "NAMED", "", "str name;"));
    byte[] name = {3, 0, 'a', 'b', 'c'};
    r.ring(1, 0, 1).own(100, 11, 42).own(110, 12, name);
    return r;
  }

  /** Two threads that wait for each other at the end: one was seen to begin, the other told so. */
  static RecordingBuilder openStates() {
    RecordingBuilder r = new RecordingBuilder().process(1).thread(1, 1, "one").thread(1, 2, "two");
    r.states(1, 11, 1, "one").states(1, 12, 2, "two");
    r.method(1, 1, "a.B", "x").method(1, 2, "monitor", "a.C").method(1, 3, "lock", "a.D");
    r.ring(1, 1, 1).enter(10, 1).switchTo(20, 2).enter(20, 1);
    r.ring(1, 2, 11).enter(30, 2).detail(30, 7, 12);
    r.ring(1, 3, 12).enter(40, 3).leave(50, 3).enter(60, 3).detail(900, 8, 11);
    return r;
  }

  /** Samples of a thread, whose stacks share their outer parts. */
  static RecordingBuilder samples() {
    RecordingBuilder r = new RecordingBuilder().process(1).thread(1, 1, "main");
    r.method(1, 1, "a.B", "main").method(1, 2, "a.B", "run").method(1, 3, "a.C", "sum");
    r.stack(1, 1, 0, 1).stack(1, 2, 1, 2).stack(1, 3, 2, 3).stack(1, 4, 2, 2);
    r.define(1, new Definition.Subsystem(1, 1, Definition.Stack.SAMPLES, "", ""));
    r.define(1, new Definition.Event(9, 1, 1, EventKind.INSTANT.number(), "cpu", "", "u32 stack;"));
    r.ring(1, 0, 1).enter(100, 1).own(110, 9, 3).own(120, 9, 3).own(130, 9, 4).leave(140, 1);
    return r;
  }

  private void counts() {
    int record = PacketLayout.HEADER_SIZE;
    count("count-cut", b -> b.putLong(PacketLayout.CONTENT_SIZE_OFFSET, 8L * (record + 40)));
    count("count-of-absurdly-many-buckets", b -> b.putInt(record + 65, 0x7FFFFFFF));
    count("count-of-no-bucket", b -> b.put(record + 69, (byte) 200));
    count("count-without-header", b -> b.put(record, (byte) 0));
    count("count-of-unknown-id", b -> b.putInt(record + 1, 9));
    count("count-of-no-method", b -> b.putInt(record + 17, -1));
    count("count-of-no-mode", b -> b.putInt(record + 21, MethodMode.EVENTS));
    count("count-negative", b -> b.putLong(record + 25, Long.MIN_VALUE));
    count("counts-of-wrong-stream-class", b -> b.putInt(PacketLayout.STREAM_CLASS_OFFSET, 1));
    count(
        "count-of-undefined",
        b -> {
          b.putInt(record + 13, 66);
          b.putInt(record + 17, 77);
        });
  }

  private void count(String name, Consumer<ByteBuffer> change) {
    cases.put(
        name,
        path -> {
          RecordingBuilder r = base();
          int[] histogram = new int[CountersLayout.BUCKETS];
          histogram[CountersLayout.bucket(30)] = 9;
          CountRecord count =
              new CountRecord(1, 2, MethodMode.TIMED, 10, 9, 270, 270, 30, histogram);
          r.counts(1).count(300, count).close().count(320, count);
          r.write(path);
          change(path, "p1-counts", change);
        });
  }

  /** Records of 12 + 8 bytes and, with a name of four bytes, 12 + 8 + 4. */
  private void kernel() {
    int first = PacketLayout.HEADER_SIZE;
    int second = first + 20;
    kernel("kernel-event-undefined", b -> b.putShort(second + KernelRecord.ID_OFFSET, (short) 9));
    kernel("kernel-event-cut", b -> b.putLong(PacketLayout.CONTENT_SIZE_OFFSET, 8L * (second + 7)));
    kernel("kernel-text-too-long", b -> b.putShort(second + 12 + 6, (short) 4000));
    kernel("kernel-of-wrong-stream-class", b -> b.putInt(PacketLayout.STREAM_CLASS_OFFSET, 1));
  }

  private void kernel(String name, Consumer<ByteBuffer> change) {
    cases.put(
        name,
        path -> {
          kernelEvents(base()).write(path);
          change(path, "kernel-cpu-0", change);
        });
  }

  /** With two kinds of kernel events, two packets on one processor, and a loss. */
  static RecordingBuilder kernelEvents(RecordingBuilder r) {
    KernelEventFormat plain =
        r.kernelEvent(
            1,
            "sched",
            """
            name: sched_plain
            ID: 7
            field:pid_t pid; offset:8; size:4; signed:1;
            field:u32 mode; offset:12; size:4; signed:0;
            """);
    KernelEventFormat named =
        r.kernelEvent(
            1,
            "irq",
            """
            name: irq_named
            ID: 8
            field:int irq; offset:8; size:4; signed:1;
            field:__data_loc char[] name; offset:12; size:4; signed:0;
            """);
    byte[] bytes = new byte[20];
    ByteBuffer event = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    event.putInt(4, 4711).putInt(8, -3).putInt(12, 4 << 16 | 16).putInt(16, 'a' | 'b' << 8);
    StreamWriter cpu = r.cpu(1, 0);
    cpu.kernel(100, 0, plain, bytes).kernel(110, 1, named, bytes).close();
    cpu.lose(5).kernel(120, 1, named, bytes).kernel(130, 0, plain, bytes);
    return r;
  }

  private void metadata() {
    text("no-uuid", t -> t.replace("uuid = ", "uid = "));
    text("bad-uuid", t -> t.replace("00112233", "0011223x"));
    text("no-clock", t -> t.replace("clock {", "watch {"));
    text("absurd-frequency", t -> t.replace("freq = 1000000000", "freq = 0"));
    text("big-endian", t -> t.replace("byte_order = le", "byte_order = be"));
    text("future-version", t -> t.replace("kymo_format_major = 1", "kymo_format_major = 2"));
    text("no-version", t -> t.replace("kymo_format_major", "other_format_major"));
    text("empty-metadata", t -> "");
  }

  private static void fill(ByteBuffer b, int from, int to) {
    for (int i = from; i < to; i++) {
      b.put(i, (byte) (i * 31));
    }
  }

  private static void sizes(ByteBuffer b, int at, int bytes) {
    b.putLong(at + PacketLayout.CONTENT_SIZE_OFFSET, 8L * bytes);
    b.putLong(at + PacketLayout.PACKET_SIZE_OFFSET, 8L * bytes);
  }

  private static void endString(ByteBuffer b) {
    for (int i = 0; i < b.limit(); i++) {
      if (b.get(i) == 0 && i > 0 && b.get(i - 1) == 'x') {
        b.put(i, (byte) 'z');
      }
    }
  }

  private static RecordingBuilder base() {
    RecordingBuilder r = new RecordingBuilder().packetSize(PACKET + 8).at(90);
    r.process(1).thread(1, 1, "main").thread(1, 2, "other");
    for (int method = 1; method <= 3; method++) {
      r.method(1, method, "a.B", "m" + method);
    }
    StreamWriter ring = r.ring(1, 0, 1);
    for (int i = 0; i < 12; i++) {
      ring.enter(100 + 20L * i, 1 + i % 3).leave(110 + 20L * i, 1 + i % 3);
    }
    return r;
  }

  private static void ring(Path path, UnaryOperator<StreamWriter> middle) {
    RecordingBuilder r = base();
    StreamWriter ring = r.ring(1, 1, 2).enter(100, 1).enter(110, 2);
    middle.apply(ring).leave(200, 2).leave(210, 1);
    r.write(path);
  }

  private void damage(String name, String file, Consumer<ByteBuffer> change) {
    cases.put(
        name,
        path -> {
          base().write(path);
          change(path, file, change);
        });
  }

  private void text(String name, UnaryOperator<String> change) {
    cases.put(
        name,
        path -> {
          base().write(path);
          try {
            Path file = path.resolve(METADATA);
            Files.writeString(file, change.apply(Files.readString(file)));
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
  }

  private static void change(Path path, String file, Consumer<ByteBuffer> change) {
    try {
      byte[] bytes = Files.readAllBytes(path.resolve(file));
      ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
      change.accept(buffer);
      Files.write(path.resolve(file), java.util.Arrays.copyOf(bytes, buffer.limit()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
