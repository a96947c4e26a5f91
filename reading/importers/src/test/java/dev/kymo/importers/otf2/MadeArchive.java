package dev.kymo.importers.otf2;

import static dev.kymo.importers.otf2.Records.u8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * An archive that is made of bytes: two processes with two threads and one, and a definition of
 * each kind.
 */
final class MadeArchive {
  /** Ticks a second. */
  static final long RESOLUTION = 1_000_000_000L;

  /** Nanoseconds since 1970 at {@link #OFFSET}. */
  static final long WALL = 1_700_000_000_000_000_000L;

  static final long OFFSET = 1_000;

  /** As small as the library has it. */
  private static final int CHUNK = 256 * 1024;

  private static final int NONE = -1;

  private final ByteOrder order;
  private final List<String> strings = new ArrayList<>();
  private final List<Definition> definitions = new ArrayList<>();
  private final Map<Integer, Records> events = new TreeMap<>();
  private final Map<Integer, Records> locals = new TreeMap<>();

  @SuppressWarnings("ArrayRecordComponent") // nobody compares them
  private record Definition(int type, Object[] fields) {}

  MadeArchive(ByteOrder order) {
    this.order = order;
    define(5, RESOLUTION, OFFSET, 1_000_000L, WALL);
    define(6, u8(3), string("OpenMP"), u8(1));
    define(8, u8(0), string("POSIX"), string("POSIX I/O"), u8(0), 1, u8(0));
    define(12, 0, string("cluster"), string("machine"), NONE);
    define(12, 1, string("node7"), string("node"), 0);
    define(13, 0, string("rank 0"), u8(1), 1, NONE);
    define(13, 1, string("rank 1"), u8(1), 1, NONE);
    region(0, "main()", string("a.c"), 12);
    region(1, "MPI_Send", NONE, 0);
    define(18, 0, string(""), u8(6), 2, 0, 2, u8(4), u8(4), 0);
    define(18, 1, string(""), u8(4), 2, 0, 1, u8(5), u8(4), 0);
    define(19, 0, string("loads"), string(""), u8(1), u8(0), u8(4), u8(1), 3, string("ops"));
    define(19, 1, string("power"), string(""), u8(1), u8(17), u8(10), u8(1), 0, string("W"));
    define(19, 2, string("depth"), string(""), u8(1), u8(17), u8(8), u8(1), 0, string("#"));
    define(20, 0, u8(3), 0, 1, 2, u8(1), u8(2));
    define(20, 2, u8(1), 2, u8(2), u8(2));
    define(21, 1, 2, 0L, u8(1), 1L);
    define(22, 0, string("WORLD"), 1, NONE, 0);
    define(23, 0, string("size"), u8(2));
    define(24, 0, string("window"), 0, 0);
    define(33, 0, string("a.c"), 14);
    define(34, 0, 0, NONE, NONE);
    define(34, 1, 1, 0, 0);
    define(36, 0, string("clock"), u8(0), u8(1), -9L, 1000L);
    define(38, 0, string("/tmp/data"), 0);
    define(40, 0, string("fd 3"), 0, u8(0), 0, NONE, NONE);
  }

  /** A string's number; the same of the same. */
  int string(String text) {
    int known = strings.indexOf(text);
    if (known >= 0) {
      return known;
    }
    strings.add(text);
    return strings.size() - 1;
  }

  private void region(int self, String name, int file, int line) {
    int text = string(name);
    define(15, self, text, string(""), u8(1), file, line, line, text, u8(1), u8(2), 0);
  }

  /** A definition, with its fields. */
  MadeArchive define(int type, Object... fields) {
    definitions.add(new Definition(type, fields));
    return this;
  }

  Records events(int location) {
    return events.computeIfAbsent(location, none -> new Records(order, CHUNK, true));
  }

  Records local(int location) {
    return locals.computeIfAbsent(location, none -> new Records(order, CHUNK, false));
  }

  /** Writes everything; returns the anchor. */
  Path write(Path folder) throws IOException {
    Path own = Files.createDirectories(folder.resolve("made"));
    for (int location : events.keySet()) {
      int name = string("thread " + location);
      define(14, (long) location, name, u8(1), (long) events(location).count(), location / 2);
      Files.write(own.resolve(location + ".evt"), events(location).end());
      Files.write(own.resolve(location + ".def"), local(location).end());
    }
    Records all = new Records(order, CHUNK, false);
    for (int i = 0; i < strings.size(); i++) {
      all.add(10, i, strings.get(i));
    }
    for (Definition definition : definitions) {
      all.add(definition.type, definition.fields);
    }
    Files.write(folder.resolve("made.def"), all.end());
    return Files.write(folder.resolve("made.otf2"), anchor(all.count()));
  }

  private byte[] anchor(int definitionCount) {
    ByteArrayOutputStream anchor = new ByteArrayOutputStream();
    anchor.write(3);
    anchor.write(order == ByteOrder.LITTLE_ENDIAN ? 0x42 : 0x23);
    text(anchor, "OTF2");
    anchor.writeBytes(new byte[] {3, 2, 3, 0, 2});
    whole(anchor, CHUNK);
    whole(anchor, CHUNK);
    anchor.writeBytes(new byte[] {1, 1});
    whole(anchor, events.size());
    whole(anchor, definitionCount);
    text(anchor, "");
    text(anchor, "test");
    text(anchor, "");
    anchor.writeBytes(ByteBuffer.allocate(20).order(order).array());
    anchor.write(2);
    return anchor.toByteArray();
  }

  private static void text(ByteArrayOutputStream to, String text) {
    to.writeBytes(text.getBytes(StandardCharsets.UTF_8));
    to.write(0);
  }

  private void whole(ByteArrayOutputStream to, long value) {
    to.writeBytes(ByteBuffer.allocate(8).order(order).putLong(value).array());
  }
}
