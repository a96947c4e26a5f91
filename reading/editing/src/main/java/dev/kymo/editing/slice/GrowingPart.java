package dev.kymo.editing.slice;

import dev.kymo.format.CountRecord;
import dev.kymo.format.Definition;
import dev.kymo.format.KernelEventFormat;
import dev.kymo.reader.Diagnostics;
import dev.kymo.reader.EventBatch;
import dev.kymo.reader.FollowSink;
import dev.kymo.reader.Follower;
import dev.kymo.reader.RecordingException;
import dev.kymo.reader.RecordingState;
import dev.kymo.writer.DefinitionFile;
import dev.kymo.writer.RecordingFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongUnaryOperator;

/** Copies one recording into the recording of several while it is written. */
final class GrowingPart implements FollowSink, AutoCloseable {
  private final Part part;
  private final RecordingFiles files;
  private final DefinitionFile whole;
  private final PartDefinitions definitions;
  private final Follower follower;
  private final Map<Integer, DefinitionFile> processes = new HashMap<>();
  private final Map<Integer, PacketWriter> counts = new HashMap<>();
  private final Map<Integer, Stream> streams = new HashMap<>();
  private int current;
  private LongUnaryOperator clocks;
  private RecordingState state = RecordingState.GROWING;
  private long last = Long.MIN_VALUE;
  private boolean countsAreMissing;

  /** By how much its times may be wrong, as far as that has been written. */
  private long error;

  private record Stream(PacketWriter to, EventCopy copy) {}

  /** What is written does not go back, also when it becomes known how the clock runs. */
  private final class Forward implements LongUnaryOperator {
    private long latest;

    @Override
    public long applyAsLong(long clock) {
      latest = Math.max(latest, clocks.applyAsLong(clock));
      return latest;
    }
  }

  /**
   * A copy that has not begun.
   *
   * @param part whose definitions this adds to
   * @param whole takes what is said about all processes
   */
  GrowingPart(Part part, RecordingFiles files, DefinitionFile whole) {
    this.part = part;
    this.files = files;
    this.whole = whole;
    this.clocks = part.clock().conversion();
    this.definitions = new PartDefinitions(part, () -> clocks);
    this.error = part.source().error().orElse(0);
    Diagnostics diagnostics = new Diagnostics();
    part.source().recording().isReadWith(diagnostics);
    this.follower = new Follower(part.source().recording(), diagnostics);
  }

  /**
   * Copies what is new; at the end also what cannot be followed.
   *
   * @throws RecordingException once, if the recording is gone: it has ended then
   */
  RecordingState poll() throws IOException {
    if (state == RecordingState.COMPLETE) {
      return state;
    }
    state = followed();
    flush();
    if (state == RecordingState.COMPLETE) {
      KernelCopy.copy(part, definitions.kernelEvents(), clocks, files);
    }
    return state;
  }

  private RecordingState followed() throws IOException {
    try {
      return follower.poll(this);
    } catch (RecordingException e) {
      state = RecordingState.COMPLETE;
      throw e;
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private void flush() throws IOException {
    for (DefinitionFile file : processes.values()) {
      file.flush();
    }
    for (PacketWriter file : counts.values()) {
      file.flush();
    }
    for (Stream stream : streams.values()) {
      stream.to().flush();
    }
  }

  /**
   * How its clock runs, as it is known by now.
   *
   * @param known of the same recording
   */
  void relate(RecordingMerge.Source known) throws IOException {
    JoinedClock clock = part.clock();
    clocks = new JoinedClock(clock.clock(), clock.to(), clock.same(), known.drift()).conversion();
    long worse = known.error().orElse(0) - error;
    if (worse > 0) {
      error += worse;
      for (Map.Entry<Integer, DefinitionFile> process : processes.entrySet()) {
        process.getValue().define(0, PartDefinitions.clockError(process.getKey(), worse));
      }
    }
  }

  /** The kinds of kernel events that it has, by their new numbers. */
  Map<Integer, KernelEventFormat> kernelEvents() {
    Map<Integer, KernelEventFormat> formats = new HashMap<>();
    for (Definition.KernelEvent kind : definitions.kernelEvents()) {
      formats.put(part.kinds().applyAsInt(kind.event()), PartCopy.format(kind));
    }
    return formats;
  }

  /** Clock of the newest event that was copied; {@link Long#MIN_VALUE} = there was none. */
  long last() {
    return last;
  }

  @Override
  public void definition(int process, long clock, Definition definition) {
    part.definitions().add(process, clock, definition);
    try {
      if (process == 0) {
        definitions.whole(clocks.applyAsLong(clock), definition, whole);
      } else {
        file(part.process(process)).define(clocks.applyAsLong(clock), definitions.of(definition));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private DefinitionFile file(int process) throws IOException {
    DefinitionFile known = processes.get(process);
    if (known == null) {
      known = new DefinitionFile(files.directory(), files.uuid(), process);
      processes.put(process, known);
      if (error > 0) {
        known.define(0, PartDefinitions.clockError(process, error));
      }
    }
    return known;
  }

  @Override
  public void stream(int number) {
    current = number;
  }

  @Override
  public void events(EventBatch batch) {
    last = Math.max(last, batch.clocks()[batch.count() - 1]);
    copy(batch.process()).events(batch);
  }

  @Override
  public void gap(int process, int thread, long from, long to, long lost) {
    copy(process).gap(process, thread, from, to, lost);
  }

  private EventCopy copy(int process) {
    Stream known = streams.get(current);
    if (known == null) {
      known = begin(current, part.process(process));
      streams.put(current, known);
    }
    return known.copy();
  }

  private Stream begin(int number, int process) {
    String name = part.source().recording().threadStreams().get(number).name();
    Path to = files.directory().resolve(name.replaceFirst("^p\\d+-", "p" + process + "-"));
    PacketWriter writer =
        PacketWriter.threads(to, files.uuid(), process, PartCopy.NO_RING + number)
            .converting(new Forward());
    EventCopy copy =
        new EventCopy(SliceRange.everything(), writer, new Occurring(), part.definitions())
            .renumbering(part::process);
    return new Stream(writer, copy);
  }

  @Override
  public void count(int process, long clock, CountRecord count) {
    int number = part.process(process);
    try {
      if (definitions.canCount()) {
        PacketWriter to = counts.get(number);
        if (to == null) {
          Path path = files.directory().resolve("p" + number + "-counts");
          to = PacketWriter.counts(path, files.uuid(), number).converting(new Forward());
          counts.put(number, to);
        }
        to.count(clock, count);
      } else if (!countsAreMissing) {
        countsAreMissing = true;
        whole.define(clocks.applyAsLong(clock), definitions.notCounted(number));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() throws IOException {
    for (DefinitionFile file : processes.values()) {
      file.close();
    }
    for (PacketWriter file : counts.values()) {
      file.close();
    }
    for (Stream stream : streams.values()) {
      stream.to().close();
    }
  }
}
