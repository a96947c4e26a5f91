package dev.kymo.reader;

import dev.kymo.format.CountRecord;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Reads a recording while it is written: each {@link #poll} continues where the previous one ended.
 *
 * <p>Each thread's events come in their order, as in a reading of the whole. The events of a
 * virtual thread lie in several streams, so a segment may begin only when everything earlier is
 * visible: the recorder writes all rings every 40 ms and then says, in {@code .present}, up to
 * which clock. Segments that begin up to that clock are delivered, as far as they have been
 * written. The follower waits for no stream, so an idle thread delays nothing. States become known
 * late, and each process says up to which clock its states are written: the segments of such
 * streams come only up to there.
 *
 * <p>A follower {@link #inTimeOrder} delivers the events of all threads in the order of time, up to
 * that clock and no further.
 *
 * <p>While the recording grows, what looks damaged may be half written: reading such a stream
 * continues later, and oddities are reported when the recording is complete. New streams come after
 * the known ones in {@link Recording#threadStreams()}. Used by one thread; other threads may read
 * parts again at the same time, {@link Recording#threads(int, long, int, long)}.
 *
 * <p>Not for the process that records: closing a file ends that process's locks on it.
 */
public final class Follower {
  private final Recording recording;
  private final Diagnostics diagnostics;
  private final WriterWatch writer;
  private final DefinitionFollower definitions;
  private final LateStates lateStates;
  private final List<CountReader> counts = new ArrayList<>();
  private final List<ThreadStream> threads = new ArrayList<>();
  private final @Nullable TimeMerge merge;
  private final Delay delay;
  private long definitionsReadAt;
  private long present = Long.MIN_VALUE;
  private boolean complete;

  /**
   * Nothing is read yet; a recording has at most one follower at a time.
   *
   * @param diagnostics takes the oddities of what is read
   */
  public Follower(Recording recording, Diagnostics diagnostics) {
    this(recording, diagnostics, false, new Delay(0, 0));
  }

  private Follower(Recording recording, Diagnostics diagnostics, boolean inTimeOrder, Delay delay) {
    this.delay = delay;
    this.recording = recording;
    this.diagnostics = diagnostics;
    this.definitions = new DefinitionFollower(recording, diagnostics);
    this.writer = new WriterWatch(recording.path());
    this.lateStates = new LateStates(writer);
    this.merge = inTimeOrder ? TimeMerge.growing() : null;
  }

  /**
   * The same, but the events of all threads come in the order of time. A recording that does not
   * say up to which clock its events are complete has none before its end.
   *
   * @param delay nanoseconds by which events come later. The recorder itself learns some late, such
   *     as states, and better names of functions; those that it learns later still come then
   */
  public static Follower inTimeOrder(Recording recording, Diagnostics diagnostics, long delay) {
    long ticks = recording.metadata().clock().ticks(delay);
    return new Follower(recording, diagnostics, true, new Delay(delay, ticks));
  }

  /**
   * Delivers what is new. The first call may take as long as reading a whole recording.
   *
   * @throws RecordingException if the recording is gone
   */
  public RecordingState poll(FollowSink sink) throws RecordingException {
    if (complete) {
      return RecordingState.COMPLETE;
    }
    // In this order: what the watch says of the streams holds for everything read afterwards.
    RecordingState state = writer.look();
    present =
        state == RecordingState.COMPLETE
            ? Long.MAX_VALUE
            : delay.until(writer.present(), System.nanoTime());
    findStreams();
    complete = state == RecordingState.COMPLETE;
    readDefinitions(sink);
    lateStates.look(present);
    goOn();
    Consumer<ThreadStream> before =
        stream -> {
          define(stream, sink);
          sink.stream(stream.index());
        };
    if (merge == null) {
      ToLongFunction<ThreadStream> until =
          stream -> {
            if (!lateStates.isKnown(stream)) {
              define(stream, sink);
            }
            return lateStates.until(stream);
          };
      SegmentMerge.follow(threads, sink, until, before);
    } else {
      merge.follow(threads, sink, present, before);
    }
    threads.forEach(ThreadStream::rest);
    readCounts(sink);
    return state;
  }

  /** Clock of the first event in the order of time, when it is delivered. */
  public long first() {
    return merge == null ? Long.MAX_VALUE : merge.first();
  }

  /**
   * Clock up to which every event has been delivered, but for states that become known late; {@link
   * Long#MIN_VALUE} = unknown, {@link Long#MAX_VALUE} = all events were delivered.
   */
  public long present() {
    return present;
  }

  /** Takes how far a stream was read. */
  public interface ReadSink {
    /**
     * A stream of events or counts.
     *
     * @param offset what is before it in the file is not read again
     */
    void read(String stream, long offset);
  }

  /** Hands out how far each stream of events and counts was read. */
  public void forEachRead(ReadSink sink) {
    threads.forEach(stream -> sink.read(stream.name(), stream.offset()));
    List<StreamSource> files = recording.countStreams();
    for (int i = 0; i < counts.size(); i++) {
      sink.read(files.get(i).name(), counts.get(i).offset());
    }
  }

  private void findStreams() throws RecordingException {
    try {
      recording.findStreams();
    } catch (IOException e) {
      throw gone();
    }
    if (!Recording.isRecording(recording.path())) {
      throw gone();
    }
  }

  private RecordingException gone() {
    return new RecordingException("recording is gone: path=" + recording.path());
  }

  private void readDefinitions(FollowSink sink) {
    definitionsReadAt = System.nanoTime();
    definitions.read(
        (process, clock, definition) -> {
          lateStates.definition(process, definition);
          sink.definition(process, clock, definition);
        },
        complete);
  }

  /** Delivers what the next events of a stream refer to. */
  private void define(ThreadStream stream, FollowSink sink) {
    if (stream.readAt() - definitionsReadAt >= 0) {
      readDefinitions(sink);
    }
  }

  /** Read after the events: counts explain what events leave out, not the other way round. */
  private void readCounts(FollowSink sink) {
    List<StreamSource> files = recording.countStreams();
    for (int i = 0; i < files.size(); i++) {
      if (i == counts.size()) {
        counts.add(recording.counts(files.get(i), diagnostics));
        counts.getLast().follow();
      }
      CountReader stream = counts.get(i);
      if (complete) {
        stream.complete();
      }
      if (files.get(i).changed(diagnostics) || complete) {
        CountRecord count = stream.next();
        while (count != null) {
          sink.count(stream.process(), stream.clock(), count);
          count = stream.next();
        }
      }
    }
  }

  private void goOn() {
    List<StreamSource> files = recording.threadStreams();
    for (int i = 0; i < files.size(); i++) {
      boolean changed = files.get(i).changed(diagnostics);
      if (i == threads.size()) {
        threads.add(recording.followThreads(i, diagnostics));
      }
      if (changed || complete) {
        threads.get(i).goOn(complete);
      }
    }
  }
}
