package dev.kymo.reader;

import dev.kymo.format.CountRecord;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads a recording while it is written: each {@link #poll} goes on where the last one ended.
 *
 * <p>Each thread's events come in their order, as in a reading of the whole. A virtual thread's lie
 * in several streams, so a segment may begin only when all that is earlier can be seen: the
 * recorder writes all rings every 40 ms and then says, in {@code .present}, up to which clock. What
 * begins up to there is delivered, and as much of it as there is. No stream is waited for, so a
 * thread that does nothing holds up nobody.
 *
 * <p>While the recording grows, what looks damaged may be half written: a stream with such an end
 * goes on later, and oddities are reported when the recording is complete. Streams that appear come
 * behind those known to {@link Recording#threadStreams()}. Used by one thread; others may read
 * parts again meanwhile, {@link Recording#threads(int, long, int, long)}.
 *
 * <p>Not for the process that records: closing a file ends its locks on that.
 */
public final class Follower {
  /** Whether there will be more. */
  public enum State {
    /** The recorder is at work. */
    GROWING,
    /**
     * The recorder was killed. What the recorded programs left in shared memory is missing until
     * somebody takes it from there, as every {@code kymo} command does; then it is complete.
     */
    ABANDONED,
    /** Everything has been delivered. */
    COMPLETE
  }

  private final Recording recording;
  private final Diagnostics diagnostics;
  private final WriterWatch writer;
  private final DefinitionFollower definitions;
  private final List<CountStream> counts = new ArrayList<>();
  private final List<ThreadStream> threads = new ArrayList<>();
  private long definitionsReadAt;
  private long present = Long.MIN_VALUE;
  private boolean complete;

  Follower(Recording recording, Diagnostics diagnostics) {
    this.recording = recording;
    this.diagnostics = diagnostics;
    this.definitions = new DefinitionFollower(recording, diagnostics);
    this.writer = new WriterWatch(recording.path());
  }

  /**
   * Delivers what is new. The first call may take as long as reading a whole recording.
   *
   * @throws RecordingException if the recording is gone
   */
  public State poll(FollowSink sink) throws RecordingException {
    if (complete) {
      return State.COMPLETE;
    }
    // In this order: what is said of the streams holds for all that is read of them afterwards.
    State state = writer.look();
    present = state == State.COMPLETE ? Long.MAX_VALUE : writer.present();
    findStreams();
    complete = state == State.COMPLETE;
    readDefinitions(sink);
    goOn();
    SegmentMerge.follow(
        threads,
        sink,
        present,
        stream -> {
          if (stream.readAt() - definitionsReadAt >= 0) {
            readDefinitions(sink);
          }
        });
    threads.forEach(ThreadStream::rest);
    readCounts(sink);
    return state;
  }

  /**
   * Clock up to which every event has been delivered; {@link Long#MIN_VALUE} = nobody knows, {@link
   * Long#MAX_VALUE} = there are no others.
   */
  public long present() {
    return present;
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
    definitions.read(sink::definition, complete);
  }

  /** After the events: what is counted explains what they leave out, not the other way round. */
  private void readCounts(FollowSink sink) {
    List<StreamFile> files = recording.countStreams();
    for (int i = 0; i < files.size(); i++) {
      if (i == counts.size()) {
        counts.add(recording.counts(files.get(i), diagnostics));
        counts.getLast().follow();
      }
      CountStream stream = counts.get(i);
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
    List<StreamFile> files = recording.threadStreams();
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
