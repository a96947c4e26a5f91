package dev.kymo.kernel;

import dev.kymo.format.Definition;
import dev.kymo.format.KernelEventFormat;
import dev.kymo.states.KernelStates;
import dev.kymo.writer.CpuStream;
import dev.kymo.writer.DefinitionFile;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes kernel events into a recording: each as it is, and the states that follow from it. The
 * first failure to write is reported; from then on nothing is written. Used by one thread.
 */
final class KernelWriter implements KernelSink, AutoCloseable {
  /** What viewers see is hardly older than this; a shorter time would cost more. */
  private static final long FLUSH_NANOS = 50_000_000;

  private final KernelStates.Place place;
  private final DefinitionFile definitions;
  private final KernelStates states;

  /** The formats as they are recorded. */
  private final KernelEventFormat[] formats;

  private final @Nullable ForkEvent fork;
  private final int forkNumber;
  private final CpuStream[] streams;
  private @Nullable IOException failure;
  private long last;
  private long flushed = System.nanoTime();
  private long seen;
  private long events;
  private long lost;

  KernelWriter(
      KernelStates.Place place,
      DefinitionFile definitions,
      KernelStates states,
      List<KernelEventFormat> formats) {
    this.place = place;
    this.definitions = definitions;
    this.states = states;
    this.fork = ForkEvent.among(formats);
    this.forkNumber = formats.stream().map(ForkEvent::is).toList().indexOf(true);
    this.formats = ForkEvent.recorded(formats).toArray(KernelEventFormat[]::new);
    this.streams = new CpuStream[place.processors()];
  }

  @Override
  public void event(int cpu, long clock, int event, byte[] bytes, int offset, int size) {
    if (failure != null) {
      return;
    }
    last = clock;
    seen++;
    try {
      if (states.event(cpu, clock, event, bytes, offset, size)) {
        write(cpu, clock, event, bytes, offset, size);
        events++;
      }
    } catch (IOException e) {
      failure = e;
    }
  }

  private void write(int cpu, long clock, int event, byte[] bytes, int offset, int size)
      throws IOException {
    ForkEvent forks = fork;
    if (event != forkNumber || forks == null) {
      stream(cpu).event(clock, event, formats[event], bytes, offset, size);
      return;
    }
    int parent = states.process(forks.parent(bytes, offset));
    int child = states.process(forks.child(bytes, offset));
    byte[] recorded = forks.with(bytes, offset, size, parent, child);
    stream(cpu).event(clock, event, formats[event], recorded, 0, ForkEvent.size(size));
  }

  @Override
  public void lost(int cpu, long from, long to, long count) {
    lost += count;
    if (failure != null || cpu >= streams.length) {
      return;
    }
    try {
      last = Math.max(last, from);
      states.lost(cpu, last, count);
      stream(cpu).lose(count);
    } catch (IOException e) {
      failure = e;
    }
  }

  @Override
  public void upTo(long clock) {
    last = Math.max(last, clock);
    long now = System.nanoTime();
    if (failure != null || now - flushed < FLUSH_NANOS) {
      return;
    }
    flushed = now;
    try {
      flush();
    } catch (IOException e) {
      failure = e;
    }
  }

  private CpuStream stream(int cpu) throws IOException {
    CpuStream stream = streams[cpu];
    if (stream == null) {
      stream = CpuStream.in(place.directory(), place.uuid(), place.process(), cpu);
      streams[cpu] = stream;
    }
    return stream;
  }

  void flush() throws IOException {
    states.flush();
    definitions.flush();
    for (CpuStream stream : streams) {
      if (stream != null) {
        stream.flush();
      }
    }
  }

  /** Writes a notice about what all this took; nanoseconds of processor time. */
  void cost(long nanos) throws IOException {
    if (failure == null && seen > 0) {
      String text =
          "kernel: events=%d recorded=%d lost=%d, each took %d ns of processor time to read, decode, merge and write"
              .formatted(seen, events, lost, nanos / seen);
      notice(last, text);
    }
  }

  void notice(long clock, String text) throws IOException {
    if (failure == null) {
      definitions.define(clock, new Definition.Notice(place.process(), text));
    }
  }

  /** Nothing comes any more, though it should: from now on it is not known what threads do. */
  void forget() throws IOException {
    if (failure == null && last != 0) {
      states.forget(last);
    }
  }

  /** The first failure to write; null if there was none. */
  @Nullable IOException failure() {
    return failure;
  }

  long events() {
    return events;
  }

  /** Events that the kernel had no room for. */
  long lost() {
    return lost;
  }

  long bytes() {
    long bytes = states.written();
    for (CpuStream stream : streams) {
      bytes += stream == null ? 0 : stream.written();
    }
    return bytes + definitions.written();
  }

  @Override
  public void close() throws IOException {
    states.close();
    for (CpuStream stream : streams) {
      if (stream != null) {
        stream.close();
      }
    }
    definitions.close();
  }
}
