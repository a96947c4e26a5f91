package dev.kymo.importers.otf2.archive;

import dev.kymo.importers.otf2.archive.Defined.Location;
import dev.kymo.importers.target.ForeignException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The events of one location in their order. References are the archive's numbers, times are
 * corrected.
 */
public final class LocationEvents implements AutoCloseable {
  private static final int ATTRIBUTES = 6;
  private static final int MOST_ATTRIBUTES = 1000;
  private static final int MOST_VALUES = 8;

  private final Location location;
  private final LocalDefinitions local;
  private final RecordFile in;
  private final List<Attribute> attributes = new ArrayList<>();
  private final long[] values = new long[MOST_VALUES];
  private long[] list = {};
  private byte[] unknown = {};
  private @Nullable Otf2EventKind kind;
  private long time;
  private long count;

  /**
   * What an event has beside its fields.
   *
   * @param attribute number of its definition
   * @param type of the value, as OTF2 numbers types
   * @param value bits of a number, or the number of what is referred to
   */
  public record Attribute(int attribute, int type, long value) {}

  /** Opens the events of a location, with a buffer of so many bytes. */
  LocationEvents(Anchor anchor, Location location, int buffer) throws IOException {
    this.location = location;
    this.local = LocalDefinitions.read(anchor, location.id());
    this.in = RecordFile.open(anchor.eventFile(location.id()), anchor.eventChunk(), true, buffer);
  }

  public Location location() {
    return location;
  }

  /** When the event was, in ticks. */
  public long time() {
    return time;
  }

  /** Number of its kind. */
  public int type() {
    return in.type();
  }

  /** Its kind; null if it is not known. */
  public @Nullable Otf2EventKind kind() {
    return kind;
  }

  /** Its attributes; valid until the next event. */
  public List<Attribute> attributes() {
    return attributes;
  }

  public long value(int field) {
    return values[field];
  }

  /** Its field that is a list; of counters type and value take turns. */
  public long[] list() {
    return list;
  }

  /** What an event of a kind that is not known has. */
  public byte[] unknown() {
    return unknown;
  }

  public long count() {
    return count;
  }

  /** Bytes that have been read. */
  public long done() {
    return in.offset();
  }

  /** Goes to the next event; false if there is none. */
  boolean next() throws IOException {
    attributes.clear();
    while (in.next()) {
      if (in.type() == ATTRIBUTES) {
        readAttributes();
      } else {
        read();
        count++;
        return true;
      }
    }
    return false;
  }

  private void readAttributes() throws ForeignException {
    int number = in.count(in.u32());
    if (number + attributes.size() > MOST_ATTRIBUTES) {
      throw in.damaged("event has too many attributes", "most=" + MOST_ATTRIBUTES);
    }
    for (int i = 0; i < number; i++) {
      int attribute = (int) local.global(Reference.ATTRIBUTE, in.u32());
      int type = in.u8();
      attributes.add(new Attribute(attribute, type, attribute(type)));
    }
  }

  private long attribute(int type) throws ForeignException {
    Reference of = Reference.ofType(type);
    if (of != null) {
      return local.global(of, of.isLong() ? in.u64() : in.u32());
    }
    return switch (type) {
      case 1 -> in.u8();
      case 2 -> in.u16();
      case 3 -> in.u32() & 0xFFFFFFFFL;
      case 4, 8 -> in.u64();
      case 5 -> (byte) in.u8();
      case 6 -> (short) in.u16();
      case 7 -> in.u32();
      case 9 -> in.whole32();
      case 10 -> in.whole64();
      default -> throw in.damaged("attribute has an unknown type", "type=" + type);
    };
  }

  private void read() throws ForeignException {
    time = trueTime(in.time());
    kind = Otf2EventKind.of(in.type());
    if (kind == null) {
      unknown = in.rest();
      return;
    }
    List<Otf2EventKind.Field> fields = kind.fields();
    for (int i = 0; i < fields.size(); i++) {
      values[i] = value(fields.get(i));
    }
  }

  private long trueTime(long ticks) throws ForeignException {
    long corrected = local.trueTime(ticks);
    if (ticks < 0 || corrected < 0) {
      throw in.damaged("time is out of range", "time=" + Long.toUnsignedString(ticks));
    }
    return corrected;
  }

  private long value(Otf2EventKind.Field field) throws ForeignException {
    Reference of = field.reference();
    if (of != null) {
      return local.global(of, of.isLong() ? in.u64() : in.u32());
    }
    Labels labels = field.labels();
    if (labels != null) {
      return labels.isByte() ? in.u8() : in.u32() & 0xFFFFFFFFL;
    }
    return switch (field.form()) {
      case "u32", "root" -> in.u32() & 0xFFFFFFFFL;
      case "u64", "i64" -> in.u64();
      case "paradigm", "io_paradigm" -> in.u8();
      case "time" -> trueTime(in.whole64());
      case "strings" -> {
        list = new long[in.count(in.u32())];
        for (int i = 0; i < list.length; i++) {
          list[i] = local.global(Reference.STRING, in.u32());
        }
        yield list.length;
      }
      case "values" -> {
        list = new long[2 * in.count(in.u8())];
        for (int i = 0; i < list.length; i += 2) {
          list[i] = in.u8();
          list[i + 1] = in.u64();
        }
        yield list.length / 2;
      }
      default -> throw new IllegalStateException(field.form());
    };
  }

  public ForeignException damaged(String problem, String facts) {
    return in.damaged(problem, facts);
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
