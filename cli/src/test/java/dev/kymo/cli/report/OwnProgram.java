package dev.kymo.cli.report;

import dev.kymo.format.Definition;
import dev.kymo.format.EventKind;
import dev.kymo.testkit.RecordingBuilder;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** A small recording with events of the program's own, of two threads. */
public final class OwnProgram {
  private static final int ALLOC = 10;
  private static final int MARK = 11;
  private static final int READ = 12;
  private static final int ALIAS = 13;

  private OwnProgram() {}

  public static Path write(Path directory) {
    RecordingBuilder r = new RecordingBuilder().at(900);
    r.process(1).thread(1, 1, "main").thread(1, 2, "other").states(1, 3, 1, "main");
    r.method(1, 1, "a.B", "run").method(1, 2, "a.B", "step").method(1, 3, "monitor", "a.Lock");
    r.define(1, new Definition.Subsystem(1, 7, "disk", "", ""));
    r.define(1, new Definition.Subsystem(2, 9, "kymo", "", ""));
    define(r, ALLOC, 1, EventKind.INSTANT.number(), "ALLOC", "u64 size; str owner;");
    define(r, MARK, 1, EventKind.INSTANT.number(), "MARK", "");
    define(r, READ, 1, EventKind.BEGIN.number(), "READ", "u32 block;");
    define(r, ALIAS, 2, EventKind.INSTANT.number(), "alias", "u64 object; str name;");
    r.ring(1, 0, 1)
        .own(1000, MARK, 0x2a)
        .enter(1010, 1)
        .own(1020, ALLOC, data(4096, "me"))
        .enter(1030, READ)
        .own(1030, READ, 7)
        .own(1040, ALLOC, data(0x2a, "a\tb\n"))
        .leave(1050, READ)
        .own(1060, ALIAS, data(0x1000, "page"))
        .own(1070, ALLOC, data(0x1000, "us"))
        .lose(3)
        .own(1100, MARK, 0)
        .leave(1110, 1);
    r.ring(1, 1, 2).enter(1015, 2).own(1045, MARK, -1).unwind(2_000_001_045L, 2);
    r.ring(1, 2, 3).enter(1025, 3).detail(1028, 0x1b, 0).leave(1028, 3);
    return r.end(1, 0).write(directory);
  }

  private static void define(
      RecordingBuilder to, int number, int subsystem, int kind, String name, String fields) {
    to.define(1, new Definition.Event(number, subsystem, number + 90, kind, name, "", fields));
  }

  private static byte[] data(long number, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return ByteBuffer.allocate(10 + bytes.length)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putLong(number)
        .putShort((short) bytes.length)
        .put(bytes)
        .array();
  }
}
