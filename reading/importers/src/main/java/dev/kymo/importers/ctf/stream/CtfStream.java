package dev.kymo.importers.ctf.stream;

import dev.kymo.importers.ctf.type.ClockClass;
import dev.kymo.importers.ctf.type.Role;
import dev.kymo.importers.target.ForeignException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A stream, which lies in one file or in several one after the other. It stands at an event, or
 * where events are missing.
 */
public final class CtfStream implements AutoCloseable {
  private final CtfTrace trace;
  private final List<Path> files;
  private final TraceProgram program;
  private final int number;
  private int file;
  private PacketReader reader;
  private Cursor cursor;
  private StreamProgram of;
  private boolean inPacket;
  private @Nullable CtfEventKind kind;
  private long nanos;
  private long sequence;
  private long bytesBefore;

  private boolean hasDiscarded;
  private long discarded;
  private boolean hasSequence;
  private long packets;
  private long lostEvents;
  private long lostPackets;
  private boolean unusedLeft;

  CtfStream(CtfTrace trace, List<Path> files, TraceProgram program, int number) throws IOException {
    this.trace = trace;
    this.files = new ArrayList<>(files);
    this.program = program;
    this.number = number;
    this.reader = new PacketReader(files.get(0), program);
    this.cursor = reader.cursor();
    this.of = program.any();
  }

  public CtfTrace trace() {
    return trace;
  }

  /** Number among the streams of all traces. */
  public int number() {
    return number;
  }

  public Path path() {
    return files.get(file);
  }

  /** The event's kind; null = events are missing here. */
  public @Nullable CtfEventKind kind() {
    return kind;
  }

  /**
   * When the event happened: nanoseconds since the clock's origin; without a clock its number in
   * the stream.
   */
  public long nanos() {
    return nanos;
  }

  public boolean isTimed() {
    return of.timed;
  }

  public ClockClass clock() {
    return of.clock;
  }

  /** Events that are missing here, as the tracer counted them. */
  public long lostEvents() {
    return lostEvents;
  }

  public long lostPackets() {
    return lostPackets;
  }

  /** Whether an unused rest of the tracer's buffer was passed over. */
  public boolean isUnusedLeft() {
    return unusedLeft;
  }

  /** The processor that the packet is from; -1 = not said. */
  public int cpu() {
    return of.has(Role.CPU) ? (int) cursor.numbers[Role.CPU.slot()] : -1;
  }

  /** A number of the event; of a floating point number its bits. */
  public long number(int slot) {
    return cursor.numbers[slot];
  }

  /** A text of the event: bytes or a string. */
  public Object object(int slot) {
    Object value = cursor.objects[slot];
    return value == null ? "" : value;
  }

  /** Bytes that were read. */
  public long done() {
    return bytesBefore + reader.done();
  }

  /** Goes to the next event, or to where events are missing; false at the end. */
  boolean advance() throws IOException {
    lostEvents = 0;
    lostPackets = 0;
    kind = null;
    while (true) {
      if (!inPacket) {
        if (!nextPacket()) {
          return false;
        }
        inPacket = true;
        if (lostEvents != 0 || lostPackets != 0) {
          return true;
        }
      }
      if (cursor.position < cursor.end && event()) {
        return true;
      }
      inPacket = false;
    }
  }

  private boolean nextPacket() throws IOException {
    while (!reader.nextPacket()) {
      if (file + 1 == files.size()) {
        return false;
      }
      bytesBefore += reader.size();
      long clock = cursor.clock;
      reader.close();
      reader = new PacketReader(files.get(++file), program);
      cursor = reader.cursor();
      cursor.clock = clock;
    }
    of = reader.program();
    if (of.timed) {
      nanos = of.clock.nanosAt(cursor.clock);
    }
    countLosses();
    return true;
  }

  private void countLosses() {
    long[] numbers = cursor.numbers;
    if (of.has(Role.DISCARDED)) {
      long now = numbers[Role.DISCARDED.slot()];
      long before = hasDiscarded ? discarded : 0;
      lostEvents = now >= before ? now - before : Math.max(0, (int) (now - before));
      discarded = now;
      hasDiscarded = true;
    }
    if (of.has(Role.SEQUENCE)) {
      long now = numbers[Role.SEQUENCE.slot()];
      lostPackets = hasSequence && now > packets + 1 ? now - packets - 1 : 0;
      packets = now;
      hasSequence = true;
    }
  }

  private boolean event() throws IOException {
    reader.prepare();
    long position = cursor.position;
    long clock = cursor.clock;
    while (true) {
      try {
        return read(position);
      } catch (Cursor.MoreNeeded e) {
        cursor.position = position;
        cursor.clock = clock;
        reader.grow();
      }
    }
  }

  private boolean read(long position) throws IOException {
    run(of.eventHeader);
    CtfEventKind found = of.only;
    if (found == null) {
      long id = cursor.numbers[Role.EVENT_CLASS.slot()];
      found = of.events.get(of.has(Role.EVENT_CLASS) ? id : 0);
      if (found == null) {
        cursor.position = position;
        return unknown(id);
      }
    }
    run(of.eventContext);
    run(found.nodes);
    if (cursor.position == position) {
      throw cursor.problem("an event has no bits", "event=" + found.name());
    }
    kind = found;
    nanos = of.timed ? of.clock.nanosAt(cursor.clock) : sequence++;
    return true;
  }

  private boolean unknown(long id) throws IOException {
    long position = cursor.position;
    if (reader.isUnused()) {
      unusedLeft = true;
      cursor.position = cursor.end;
      return false;
    }
    cursor.position = position;
    throw unknownKind(id);
  }

  private ForeignException unknownKind(long id) {
    return cursor.problem(
        "event is of an unknown kind", "id=" + id + " stream=" + of.stream().id());
  }

  private void run(Node[] nodes) throws ForeignException {
    for (Node node : nodes) {
      node.read(cursor, null);
    }
  }

  @Override
  public void close() throws IOException {
    reader.close();
  }
}
