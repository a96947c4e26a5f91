package dev.kymo.editing.activity;

import dev.kymo.analysis.activity.Activities;
import dev.kymo.analysis.activity.Activity;
import dev.kymo.analysis.activity.ActivityRule;
import dev.kymo.analysis.activity.OpenActivities;
import dev.kymo.model.calls.CallPass;
import dev.kymo.model.calls.ProgressListener;
import dev.kymo.model.definitions.NanoClock;
import dev.kymo.reader.Diagnostics;
import dev.kymo.reader.Recording;
import dev.kymo.reader.StreamSource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;

/**
 * Makes tracks of activities: a recording with everything that another one has, and one more
 * process, whose threads are lanes of activities. Each activity is a call there, and each of its
 * events leads to the thread where that happened.
 */
public final class ActivityTracks implements Consumer<Activity> {
  /** Command of the process that has the tracks; its pid is 0. */
  public static final String PROCESS = "activities";

  /** Tracks for activities of one name at most. */
  public static final int MAX_LANES = ActivityLanes.MAX;

  /** Activities and their events that are sorted at a time. */
  private static final int SORTED = 1 << 17;

  private static final Comparator<Activity> BY_TIME =
      Comparator.comparingLong(Activity::begin).thenComparingLong(Activity::end);

  private final ActivityStreams streams;
  private final NanoClock clock;
  private final ActivityLanes lanes = new ActivityLanes();
  private final List<Activity> waiting = new ArrayList<>();
  private int size;
  private long written;

  private record Mark(long clock, Activity activity, int thread, int step) {
    /** In the place of a step: the activity begins, or ends. */
    static final int BEGIN = -1;

    static final int END = -2;
  }

  /**
   * What was written.
   *
   * @param activities that have a track
   * @param crowdedOut those that have none, because too many of their name were open at once
   * @param odd what was odd about all of them
   */
  public record Written(long activities, long crowdedOut, OpenActivities odd) {}

  private ActivityTracks(ActivityStreams streams, NanoClock clock) {
    this.streams = streams;
    this.clock = clock;
  }

  /**
   * Finds activities and writes them beside all that the recording has.
   *
   * @param directory an empty one
   * @throws IOException if they cannot be written
   */
  public static Written write(
      Recording recording, ActivityRule rule, Path directory, ProgressListener progress)
      throws IOException {
    LinkedFiles.into(directory, recording);
    CallPass pass = CallPass.open(recording);
    try (ActivityStreams streams =
        new ActivityStreams(
            directory, recording.metadata().uuid(), freeProcess(pass), pass.base())) {
      ActivityTracks tracks = new ActivityTracks(streams, pass.nanoClock());
      OpenActivities odd = Activities.find(pass, rule, tracks, progress);
      tracks.writeSorted();
      return new Written(tracks.written, tracks.lanes.crowdedOut(), odd);
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  /** The first number that no process has. */
  private static int freeProcess(CallPass pass) {
    Recording recording = pass.recording();
    int most = 0;
    for (StreamSource stream : recording.definitionStreams()) {
      var definitions = recording.definitions(stream, new Diagnostics());
      definitions.next();
      most = Math.max(most, definitions.process());
    }
    for (int i = 0; i < recording.threadStreams().size(); i++) {
      most = Math.max(most, recording.threads(i, new Diagnostics()).process());
    }
    return most + 1;
  }

  @Override
  public void accept(Activity activity) {
    waiting.add(activity);
    size += 1 + activity.steps().size();
    if (size >= SORTED) {
      try {
        writeSorted();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /**
   * They come in the order of their ends. What is sorted together is a stream of its own: readers
   * merge streams.
   */
  private void writeSorted() throws IOException {
    if (waiting.isEmpty()) {
      return;
    }
    waiting.sort(BY_TIME);
    List<Mark> marks = new ArrayList<>();
    for (Activity activity : waiting) {
      mark(activity, marks);
    }
    waiting.clear();
    size = 0;
    // Of equal clocks those of the activity that began first remain first, as lanes need it.
    marks.sort(Comparator.comparingLong(Mark::clock));
    streams.next();
    for (Mark mark : marks) {
      write(mark);
    }
  }

  private void mark(Activity activity, List<Mark> marks) throws IOException {
    ActivityLanes.Lane lane =
        lanes.take(activity.name(), clock.ticks(activity.begin()), clock.ticks(activity.end()));
    if (lane == null) {
      return;
    }
    streams.define(lane);
    written++;
    marks.add(new Mark(clock.ticks(activity.begin()), activity, lane.thread(), Mark.BEGIN));
    for (int i = 0; i < activity.steps().size(); i++) {
      long at = clock.ticks(activity.steps().get(i).time());
      marks.add(new Mark(at, activity, lane.thread(), i));
    }
    marks.add(new Mark(clock.ticks(activity.end()), activity, lane.thread(), Mark.END));
  }

  private void write(Mark mark) throws IOException {
    Activity activity = mark.activity();
    switch (mark.step()) {
      case Mark.BEGIN -> streams.begin(mark.thread(), mark.clock(), activity);
      case Mark.END -> streams.end(mark.thread(), mark.clock(), activity);
      default -> streams.step(mark.thread(), mark.clock(), activity.steps().get(mark.step()));
    }
  }
}
