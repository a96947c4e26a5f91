package dev.kymo.model.arrows;

import dev.kymo.format.EventFields;
import dev.kymo.format.EventKind;
import dev.kymo.format.FieldType;
import dev.kymo.model.definitions.TracedEvent;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Parts of one stream of bytes, in one direction of a connection: what calls wrote, or what calls
 * read. A part that was written belongs together with the part that was read last of it: only then
 * the reader had all of it. So each write has one read at most, and a read may have many writes.
 *
 * <p>The same ports can be used again by a later connection, so a part that begins at position 0
 * begins the next stream of that name.
 */
public final class StreamParts {
  /** The fields that such an event begins with; the first one is the key. */
  private static final List<EventFields.Field> FIELDS =
      List.of(
          new EventFields.Field(FieldType.U64, "stream"),
          new EventFields.Field(FieldType.U64, "position"),
          new EventFields.Field(FieldType.U32, "bytes"));

  private static final int POSITION = 1;
  private static final int BYTES = 2;

  private final List<Part> parts = new ArrayList<>();
  private int streams;

  /** A part of the stream with a number; {@code of} is what the caller knows it by. */
  private record Part(int stream, long position, long bytes, int of) {}

  /** A part that was written, and the one that its last byte was read in. */
  public record Pair(int written, int read) {}

  public StreamParts() {}

  /** Whether events of a kind are about a part of a stream: a send or a receive with its fields. */
  public static boolean areOf(TracedEvent event) {
    List<EventFields.Field> fields = event.fields().list();
    return (EventKind.SEND.is(event.kind()) || EventKind.RECEIVE.is(event.kind()))
        && fields.size() >= FIELDS.size()
        && fields.subList(0, FIELDS.size()).equals(FIELDS);
  }

  /** The place of the first byte in the stream, among the fields of such an event. */
  public static int positionField() {
    return POSITION;
  }

  /** The number of bytes, likewise. */
  public static int bytesField() {
    return BYTES;
  }

  /** Adds a part; parts come in the order of their times. */
  public void add(long position, long bytes, int of) {
    if (position == 0) {
      streams++;
    }
    if (bytes > 0) {
      parts.add(new Part(Math.max(streams, 1), position, bytes, of));
    }
  }

  /**
   * Pairs these parts, which were written, with those that were read, in the order of the bytes.
   */
  public List<Pair> pairs(StreamParts readParts) {
    List<Part> written = sorted();
    List<Part> read = readParts.sorted();
    List<Pair> pairs = new ArrayList<>();
    int next = 0;
    for (Part part : written) {
      long last = part.position + part.bytes - 1;
      while (next < read.size() && isBefore(read.get(next), part.stream, last)) {
        next++;
      }
      if (next < read.size()
          && read.get(next).stream == part.stream
          && read.get(next).position <= last) {
        pairs.add(new Pair(part.of, read.get(next).of));
      }
    }
    return pairs;
  }

  private static boolean isBefore(Part part, int stream, long last) {
    return part.stream < stream || (part.stream == stream && part.position + part.bytes <= last);
  }

  private List<Part> sorted() {
    return parts.stream()
        .sorted(
            Comparator.comparingInt(Part::stream)
                .thenComparingLong(part -> part.position + part.bytes))
        .toList();
  }
}
