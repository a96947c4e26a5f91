package dev.kymo.importers.tracedat.file;

import dev.kymo.importers.linux.metadata.Input;
import dev.kymo.importers.tracedat.file.TraceMetadata.Buffer;
import dev.kymo.importers.tracedat.file.TraceMetadata.CpuPlace;
import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/** A trace.dat: what it says, and the events of all processors and buffers by time. */
public final class TraceFile implements AutoCloseable {
  /** Bytes of unpacked pages of all processors at once. */
  private static final long MOST_MEMORY = 192L * 1024 * 1024;

  private final Path path;
  private final FileChannel file;
  private final TraceMetadata data;
  private final List<CpuEvents> all = new ArrayList<>();
  private final PriorityQueue<CpuEvents> waiting =
      new PriorityQueue<>(
          Comparator.comparingLong(CpuEvents::clock).thenComparingInt(events -> events.cpu));
  private @Nullable CpuEvents current;
  private boolean begun;

  private TraceFile(Path path, FileChannel file, TraceMetadata data) {
    this.path = path;
    this.file = file;
    this.data = data;
  }

  /** Reads everything except the events. */
  public static TraceFile open(Path path) throws IOException {
    FileChannel file = FileChannel.open(path, StandardOpenOption.READ);
    try {
      TraceFile trace = new TraceFile(path, file, MetadataReader.read(path, file));
      trace.begin();
      return trace;
    } catch (IOException | RuntimeException e) {
      file.close();
      throw e;
    }
  }

  private void begin() throws IOException {
    Unpacker unpacker = new Unpacker(data.compression);
    long memory = 0;
    for (int i = 0; i < data.buffers.size(); i++) {
      Buffer buffer = data.buffers.get(i);
      for (CpuPlace place : buffer.text() ? List.<CpuPlace>of() : buffer.places()) {
        if (place.size() == 0) {
          continue;
        }
        Input in = Input.of(path, file, data.kernel.isBigEndian());
        in.seek(place.offset());
        CpuEvents events =
            new CpuEvents(i, place.cpu(), new Pages(file, in, unpacker, buffer, place), data);
        all.add(events);
        if (events.next()) {
          waiting.add(events);
        }
        memory += events.bytes().length + 64 * 1024;
        if (memory > MOST_MEMORY) {
          throw in.wrong("pages of all processors are too large", "max=" + MOST_MEMORY);
        }
      }
    }
  }

  public TraceMetadata data() {
    return data;
  }

  /** Time of the first event, nanoseconds; 0 if there is none. */
  public long first() {
    CpuEvents events = waiting.peek();
    return events == null ? 0 : events.clock();
  }

  /** Goes to the next event by time; false at the end. */
  public boolean next() throws IOException {
    CpuEvents events = current;
    if (events != null && begun && events.next()) {
      CpuEvents other = waiting.peek();
      if (other == null || events.clock() < other.clock()) {
        return true;
      }
      waiting.add(events);
    }
    begun = true;
    current = waiting.poll();
    return current != null;
  }

  private CpuEvents current() {
    CpuEvents events = current;
    if (events == null) {
      throw new IllegalStateException("no event");
    }
    return events;
  }

  /** Number of the event's buffer. */
  public int buffer() {
    return current().buffer;
  }

  public int cpu() {
    return current().cpu;
  }

  /** Nanoseconds. */
  public long clock() {
    return current().clock();
  }

  /** Bytes that the event is in; they are not to be changed, and last until the next event. */
  public byte[] bytes() {
    return current().bytes();
  }

  /** Where the event begins in the bytes. */
  public int offset() {
    return current().offset();
  }

  /** Bytes of the event. */
  public int length() {
    return current().size();
  }

  /** Events that are missing right before this one; -1 = some, 0 = none. */
  public long lost() {
    return current().lost();
  }

  /** Takes where bytes in a page are no events. */
  public interface Damage {
    /**
     * A page ended with bytes that are no event.
     *
     * @param offset in the file
     */
    void at(int cpu, long offset);
  }

  /** Says where pages were damaged since it was asked last. */
  public void damaged(Damage to) {
    for (CpuEvents events : all) {
      long offset = events.damaged();
      if (offset >= 0) {
        to.at(events.cpu, offset);
      }
    }
  }

  /** Bytes of pages that were read. */
  public long done() {
    return all.stream().mapToLong(CpuEvents::done).sum();
  }

  /** Bytes of the file. */
  public long size() throws IOException {
    return file.size();
  }

  /** Texts of the kernel's that are in the file instead of pages, one for each buffer. */
  public List<InputStream> texts() throws IOException {
    List<InputStream> texts = new ArrayList<>();
    for (Buffer buffer : data.buffers) {
      if (buffer.text()) {
        texts.add(text(buffer, buffer.places().getFirst()));
      }
    }
    return texts;
  }

  private InputStream text(Buffer buffer, CpuPlace place) throws IOException {
    if (buffer.packed()) {
      List<InputStream> parts = new ArrayList<>();
      Input in = Input.of(path, file, data.kernel.isBigEndian());
      in.seek(place.offset());
      Unpacker unpacker = new Unpacker(data.compression);
      long bytes = 0;
      for (long left = in.number(4); left > 0; left--) {
        byte[] part = unpacker.unpack(in, 16 * 1024 * 1024);
        bytes += part.length;
        if (bytes > MOST_MEMORY) {
          throw in.wrong("text is too large", "max=" + MOST_MEMORY);
        }
        parts.add(new ByteArrayInputStream(part));
      }
      return new SequenceInputStream(Collections.enumeration(parts));
    }
    file.position(place.offset());
    return new BufferedInputStream(Channels.newInputStream(file));
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
