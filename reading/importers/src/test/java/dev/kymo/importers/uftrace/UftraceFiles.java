package dev.kymo.importers.uftrace;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** A directory as uftrace writes it: one task with three calls, events and switches. */
final class UftraceFiles {
  private static final long BEGIN = 5_000_000_000L;
  private static final long PROGRAM = 0x400000;
  private static final long LIBRARY = 0x600000;

  private UftraceFiles() {}

  static Path write(Path directory, ByteOrder order, boolean wide) throws IOException {
    Files.createDirectory(directory);
    Files.write(directory.resolve("info"), info(order, wide));
    Files.writeString(
        directory.resolve("task.txt"),
        """
        SESS timestamp=5.000000000 pid=7 sid=1 exename="/bin/prog"
        TASK timestamp=5.000000000 tid=7 pid=7
        DLOP timestamp=5.000000001 tid=7 sid=1 base=600000 libname="/lib/lib.so"
        """);
    Files.writeString(
        directory.resolve("sid-1.map"),
        "00400000-00410000 r-xp 00000000 00:00 0                          /bin/prog\n");
    Files.writeString(
        directory.resolve("prog.sym"),
        "# symbols: 2\n0000000000001000 00000010 T main\n0000000000001010 T work\n");
    Files.writeString(
        directory.resolve("prog.dbg"),
        "F: 1010 work\nL: 12 prog.c\nA: @arg1/i32,arg2/s,fparg1\nR: @retval/i32\n");
    Files.writeString(directory.resolve("lib.so.sym"), "0000000000000020 T help\n");
    Files.writeString(directory.resolve("events.txt"), "EVENT: 1000001 mine:event\n");
    Files.write(directory.resolve("7.dat"), records(order));
    Files.write(directory.resolve("perf-cpu0.dat"), perf(order));
    return directory;
  }

  private static byte[] info(ByteOrder order, boolean wide) {
    byte[] text = "exename:/bin/prog\nosinfo:kernel=Linux 6.1\n".getBytes(StandardCharsets.UTF_8);
    ByteBuffer bytes = ByteBuffer.allocate(40 + text.length).order(order);
    bytes.put("Ftrace!\0".getBytes(StandardCharsets.ISO_8859_1)).putInt(4).putShort((short) 40);
    bytes.put((byte) (order == ByteOrder.LITTLE_ENDIAN ? 1 : 2)).put((byte) (wide ? 2 : 1));
    return bytes.position(40).put(text).array();
  }

  private static byte[] records(ByteOrder order) {
    ByteBuffer bytes = ByteBuffer.allocate(1000).order(order);
    record(bytes, 100, 0, false, 0, PROGRAM + 0x1004);
    record(bytes, 200, 0, true, 1, PROGRAM + 0x1014);
    bytes.putInt(-7).putShort((short) 5).put("hello\0".getBytes(StandardCharsets.UTF_8));
    bytes.putDouble(1.5).putInt(0); // 20 bytes are filled up to 24
    record(bytes, 300, 1, true, 1, PROGRAM + 0x1014);
    bytes.putInt(42).putInt(0);
    record(bytes, 400, 0, false, 1, LIBRARY + 0x20);
    record(bytes, 500, 1, false, 1, LIBRARY + 0x20);
    record(bytes, 600, 3, true, 1, 100_002);
    bytes.putShort((short) 16).putLong(3).putLong(4).putShort((short) 0).putInt(0);
    record(bytes, 700, 3, false, 1, 1_000_001);
    record(bytes, 900, 1, false, 0, PROGRAM + 0x1004);
    byte[] all = new byte[bytes.position()];
    bytes.get(0, all);
    return all;
  }

  private static void record(
      ByteBuffer to, long time, long type, boolean more, long depth, long address) {
    to.putLong(BEGIN + time);
    to.putLong(type | (more ? 4 : 0) | 5 << 3 | depth << 6 | address << 16);
  }

  private static byte[] perf(ByteOrder order) {
    ByteBuffer bytes = ByteBuffer.allocate(88).order(order);
    bytes.putInt(3).putShort((short) 0).putShort((short) 40).putInt(7).putInt(7);
    bytes.put("prog\0\0\0\0".getBytes(StandardCharsets.UTF_8)).putInt(7).putInt(7);
    bytes.putLong(BEGIN);
    bytes.putInt(14).putShort((short) (1 << 13)).putShort((short) 24).putInt(7).putInt(7);
    bytes.putLong(BEGIN + 420);
    bytes.putInt(14).putShort((short) 0).putShort((short) 24).putInt(7).putInt(7);
    bytes.putLong(BEGIN + 480);
    return bytes.array();
  }
}
