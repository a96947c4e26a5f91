package dev.kymo.cli.print;

import dev.kymo.format.Definition;
import dev.kymo.model.calls.CallPass;
import dev.kymo.model.counts.CountLog;
import dev.kymo.model.definitions.RecordedDefinitions;
import dev.kymo.reader.Diagnostics;
import dev.kymo.reader.EventBatch;
import dev.kymo.reader.FollowSink;
import dev.kymo.reader.Follower;
import dev.kymo.reader.Recording;
import dev.kymo.reader.RecordingState;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/** Prints a recording while it is written. Time 0 is the first event, so lines begin with it. */
final class FollowedLines implements FollowSink {
  private final Recording recording;
  private final Maker maker;
  private final boolean withDefinitions;
  private final Diagnostics diagnostics = new Diagnostics();
  private final RecordedDefinitions definitions = RecordedDefinitions.none();
  private final DefinitionMerge merge = DefinitionMerge.none();
  private final Follower follower;
  private @Nullable EventLines lines;
  private boolean over;

  /** Makes the lines when the first event is there. */
  interface Maker {
    /**
     * Makes them.
     *
     * @param merge definitions to be printed
     */
    EventLines make(CallPass pass, DefinitionMerge merge);
  }

  /**
   * Nothing is printed yet.
   *
   * @param withDefinitions whether definitions are printed
   * @param delay nanoseconds by which lines come later
   */
  FollowedLines(Recording recording, boolean withDefinitions, long delay, Maker maker) {
    this.recording = recording;
    this.maker = maker;
    this.withDefinitions = withDefinitions;
    this.follower = Follower.inTimeOrder(recording, diagnostics, delay);
    recording.isReadWith(diagnostics);
  }

  /** Prints what is new; returns whether there will be more, as far as it is wanted. */
  RecordingState poll() throws IOException {
    if (over) {
      return RecordingState.COMPLETE;
    }
    try {
      RecordingState state = follower.poll(this);
      if (state == RecordingState.COMPLETE) {
        definitions.streams().forEach(stream -> recording.check(stream, diagnostics));
      }
      if (lines != null || state == RecordingState.COMPLETE) {
        lines().taken(follower.present());
      }
      return state;
    } catch (EventLines.OverException e) {
      over = true;
      return RecordingState.COMPLETE;
    } catch (UncheckedIOException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  /** Hands out how far streams were read. */
  void forEachRead(Follower.ReadSink sink) {
    follower.forEachRead(sink);
  }

  @Override
  public void definition(int process, long clock, Definition definition) {
    definitions.add(process, clock, definition);
    if (withDefinitions) {
      merge.add(process, clock, definition);
    }
  }

  @Override
  public void events(EventBatch batch) {
    lines().events(batch);
  }

  @Override
  public void gap(int process, int thread, long from, long to, long lost) {
    lines().gap(process, thread, from, to, lost);
  }

  private EventLines lines() {
    EventLines known = lines;
    if (known == null) {
      CountLog counts = new CountLog(definitions.methods(), recording.metadata().clock());
      known =
          maker.make(CallPass.growing(recording, diagnostics, definitions, counts, begin()), merge);
      lines = known;
    }
    return known;
  }

  /** Without events, the first definition. */
  private long begin() {
    long first = Math.min(follower.first(), definitions.firstClock());
    first = follower.first() == Long.MAX_VALUE ? first : follower.first();
    return first == Long.MAX_VALUE ? 0 : first;
  }
}
