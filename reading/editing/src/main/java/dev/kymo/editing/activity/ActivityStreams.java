package dev.kymo.editing.activity;

import dev.kymo.analysis.activity.Activity;
import dev.kymo.format.Definition;
import dev.kymo.format.EventKind;
import dev.kymo.writer.DefinitionFile;
import dev.kymo.writer.TrackStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Writes activities as the calls of a process of their own, into a recording's directory. */
final class ActivityStreams implements AutoCloseable {
  /** Follows the name of activities that did not end. */
  private static final String LEFT_OPEN = " (left open)";

  private static final int SUBSYSTEM = 1;
  private static final int STEP = 1;

  /** Bytes of a key or name; what is longer is cut. */
  private static final int MAX_TEXT = 1000;

  private final Path directory;
  private final UUID uuid;
  private final int process;
  private final long base;
  private final DefinitionFile definitions;
  private final DefinitionFile whole;
  private final Map<String, Integer> kinds = new HashMap<>();
  private @Nullable TrackStream stream;
  private int streams;

  /**
   * Nothing is written yet but that there is the process.
   *
   * @param process a number that no other process has
   * @param base clock at the recording's begin
   */
  ActivityStreams(Path directory, UUID uuid, int process, long base) throws IOException {
    this.directory = directory;
    this.uuid = uuid;
    this.process = process;
    this.base = base;
    definitions = new DefinitionFile(directory, uuid, process);
    whole = new DefinitionFile(directory.resolve("p0-activities-definitions"), uuid, 0, process);
    define(new Definition.TracedProcess(process, 0, 0, ActivityTracks.PROCESS, ""));
    define(new Definition.Subsystem(SUBSYSTEM, 1, Definition.Event.ACTIVITIES, "", ""));
    String place = Definition.Event.PLACE + " str name;";
    define(
        new Definition.Event(STEP, SUBSYSTEM, STEP, EventKind.INSTANT.number(), "step", "", place));
  }

  private void define(Definition what) throws IOException {
    definitions.define(base, what);
  }

  /** A lane that is used for the first time gets its name. */
  void define(ActivityLanes.Lane lane) throws IOException {
    if (lane.nameNow()) {
      define(
          new Definition.TracedThread(
              lane.thread(), Definition.TracedThread.PLATFORM, 0, 0, lane.name()));
    }
  }

  /** The clock goes back to any time: what follows is another stream. */
  void next() throws IOException {
    if (stream != null) {
      stream.close();
    }
    stream = new TrackStream(directory, uuid, process, streams++, definitions);
  }

  private TrackStream stream() {
    if (stream == null) {
      throw new IllegalStateException("no stream has begun");
    }
    return stream;
  }

  void begin(int lane, long clock, Activity activity) throws IOException {
    int kind = kind(activity);
    byte[] key = text(activity.key());
    byte[] data = new byte[Short.BYTES + key.length];
    little(data).putShort((short) key.length).put(key);
    stream().enter(lane, clock, kind);
    stream().data(lane, clock, kind, data);
  }

  void step(int lane, long clock, Activity.Step step) throws IOException {
    byte[] name = text(step.threadName());
    byte[] data = new byte[2 * Integer.BYTES + Short.BYTES + name.length];
    little(data)
        .putInt(step.process())
        .putInt(step.thread())
        .putShort((short) name.length)
        .put(name);
    stream().data(lane, clock, STEP, data);
  }

  void end(int lane, long clock, Activity activity) throws IOException {
    stream().leave(lane, clock, kind(activity), 0);
  }

  private int kind(Activity activity) throws IOException {
    String name = activity.ended() ? activity.name() : activity.name() + LEFT_OPEN;
    Integer known = kinds.get(name);
    if (known == null) {
      known = STEP + 1 + kinds.size();
      kinds.put(name, known);
      define(
          new Definition.Event(
              known, SUBSYSTEM, known, EventKind.BEGIN.number(), name, "", "str key;"));
    }
    return known;
  }

  private static ByteBuffer little(byte[] data) {
    return ByteBuffer.wrap(data).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static byte[] text(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return bytes.length > MAX_TEXT ? Arrays.copyOf(bytes, MAX_TEXT) : bytes;
  }

  @Override
  public void close() throws IOException {
    try (whole;
        definitions) {
      if (stream != null) {
        stream.close();
      }
      whole.define(base, new Definition.ProcessEnd(process, Definition.ProcessEnd.ENDED, 0));
    }
  }
}
