package dev.kymo.exporters.source;

import dev.kymo.format.Definition;
import dev.kymo.format.EventKind;
import dev.kymo.model.calls.ProgressListener;
import dev.kymo.reader.Recording;
import dev.kymo.reader.RecordingException;
import dev.kymo.testkit.HoppingThreads;
import dev.kymo.testkit.KernelTracks;
import dev.kymo.testkit.RecordingBuilder;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** Recordings made up for the tests of exports, and how they are opened. */
public final class MadeUp {
  private MadeUp() {}

  /** One that has a bit of everything; nanoseconds, begins at clock 1000. */
  public static Path everything(Path directory) {
    RecordingBuilder r = new RecordingBuilder();
    r.process(1).thread(1, 1, "main").thread(1, 2, "worker \"q\"\n").states(1, 3, 1, "main");
    r.states(1, 4, 2, "worker").jvm(1, 5, "GC");
    r.method(1, 1, "a.Main", "run").method(1, 2, "a.Main", "work<T>").method(1, 3, "a.B", "f\\g");
    r.method(1, 4, "monitor", "a.Lock").method(1, 5, "Collection", "young");
    r.probeCost(1, 50_000, 9_000, 11_000, 500);
    r.define(1, new Definition.Subsystem(1, 7, "shop", "", ""));
    event(r, 20, EventKind.INSTANT, "SOLD", "u64 size; str what;");
    event(r, 21, EventKind.COUNTER, "STOCK", "u64 left;");
    event(r, 22, EventKind.SEND, "ASK", "u64 key;");
    event(r, 23, EventKind.RECEIVE, "ASKED", "u64 key;");
    event(r, 24, EventKind.BEGIN, "ORDER", "u64 id; str who;");
    event(r, 25, EventKind.INSTANT, "SIGNED", "i64 n;");
    r.ring(1, 0, 1)
        .enter(1_000, 1)
        .enter(1_100, 2)
        .own(1_150, 21, -1)
        .own(1_200, 22, 77)
        .leave(1_300, 2)
        .enter(1_300, 24)
        .own(1_300, 24, data(5, "Ann"))
        .own(1_400, 20, data(-2, "tea\u00e9"))
        .leave(1_450, 24)
        .enter(1_500, 3)
        .enter(1_500, 3)
        .unwind(1_600, 3)
        .leave(1_600, 3)
        .own(1_650, 25, -9)
        .leave(2_001, 3) // without its enter
        .enter(2_100, 2); // open at the end
    r.ring(1, 1, 2).enter(1_050, 2).own(1_250, 23, 77).own(1_260, 21, 12).leave(3_000, 2);
    r.ring(1, 1, 2).lose(5).enter(4_000, 3).leave(4_001, 3);
    r.ring(1, 2, 3).enter(1_110, 4).detail(1_290, 0x1f, 4).leave(1_290, 4);
    r.ring(1, 3, 5).enter(1_700, 5).leave(1_800, 5);
    KernelTracks kernel = new KernelTracks(r, 2);
    kernel.thread(1, 1001, 2001, "main").thread(2, 1001, 2002, "worker").cpu(3, 0);
    kernel.state(1, 1_000, 1_110, "running", "").state(1, 1_110, 1_280, "blocked", "futex", 2);
    kernel.state(1, 1_280, 1_290, "runnable", "preempted").state(2, 1_050, 3_000, "running", "");
    kernel.enter(3, 1_000, "running", "main").enter(3, 1_020, "interrupt", "timer");
    kernel.leave(3, 1_030, "interrupt", "timer").leave(3, 1_110, "running", "main");
    return r.end(1, 3).write(directory.resolve("everything.kymo"));
  }

  private static void event(
      RecordingBuilder r, int number, EventKind kind, String name, String fields) {
    r.define(1, new Definition.Event(number, 1, number, kind.number(), name, "", fields));
  }

  private static byte[] data(long number, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    ByteBuffer data = ByteBuffer.allocate(10 + bytes.length).order(ByteOrder.LITTLE_ENDIAN);
    return data.putLong(number).putShort((short) bytes.length).put(bytes).array();
  }

  /** Random ones with losses, and everything. */
  public static Stream<Path> all(Path directory) {
    Stream<Path> random =
        LongStream.range(0, 5)
            .mapToObj(seed ->
                HoppingThreads.recording(seed, 3_000, true)
                    .write(directory.resolve("seed-" + seed + ".kymo")));
    return Stream.concat(Stream.of(everything(directory)), random);
  }

  /** Opens a whole recording for an export. */
  public static ExportSource open(Recording recording) {
    return open(recording, Selected.all());
  }

  /** Opens a part. */
  public static ExportSource open(Recording recording, Selected selected) {
    return ExportSource.open(recording, selected, ProgressListener.NONE, ProgressListener.NONE);
  }

  /** What the model says about a recording, one line a call, sorted. */
  public static List<String> calls(Path path) throws RecordingException {
    try (Recording recording = Recording.open(path)) {
      return ModelCalls.of(recording);
    }
  }
}
