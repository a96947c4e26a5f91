package dev.kymo.model.timeline;

import dev.kymo.format.Definition;
import dev.kymo.model.arrows.ArrowKind;
import dev.kymo.model.arrows.Arrows;
import dev.kymo.model.arrows.CounterRange;
import dev.kymo.model.arrows.CounterValue;
import dev.kymo.model.counts.Counts;
import dev.kymo.model.definitions.ModeStep;
import dev.kymo.model.definitions.RecordedStates;
import dev.kymo.model.definitions.SampledStacks;
import dev.kymo.model.definitions.TracedEvent;
import dev.kymo.model.definitions.TracedMethod;
import dev.kymo.model.definitions.TracedProcess;
import dev.kymo.model.index.Annex;
import dev.kymo.model.replay.Overview;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * A recording as a picture needs it: tracks on one time axis, any window of it at any resolution.
 *
 * <p>Times are nanoseconds since the recording's begin. Method numbers count over all processes of
 * the recording. Safe for use by several threads.
 */
public interface Timeline extends AutoCloseable {
  String name();

  /** Where it is on disk, if it is: what belongs to it can be kept there. */
  default Optional<Path> directory() {
    return Optional.empty();
  }

  /** Whether there will be more: it is still being written and followed, or still being read. */
  default boolean growing() {
    return false;
  }

  /**
   * Share that was read of a recording whose index is being made, or of another tracer's file that
   * is being imported; 1 = everything.
   */
  default double read() {
    return 1;
  }

  /** Whether another tracer's file is being imported. */
  default boolean importing() {
    return false;
  }

  /** Time of the last event. */
  long duration();

  /** Nanoseconds from 1970 to the recording's begin. */
  long wallBegin();

  List<TracedProcess> processes();

  /** All tracks; {@code tracks().get(i).id() == i}. */
  List<Track> tracks();

  int methods();

  /**
   * A method.
   *
   * @throws IndexOutOfBoundsException unless {@code 0 <= method < methods()}
   */
  TracedMethod method(int method);

  /**
   * Reports what a track did between two times, as fine as can be seen.
   *
   * <p>A call that overlaps the window and takes at least {@code resolution} is reported by itself,
   * with its true begin and end (also outside the window). Shorter ones at the same depth are
   * merged with their neighbours into runs; no call is left out. Order: by depth, then by begin.
   *
   * @param resolution nanoseconds that can just be seen; 0 = every call by itself, unless there are
   *     more than a million, which are merged until there are fewer
   * @param depths those to be reported
   */
  void slices(int track, long from, long to, long resolution, IntPredicate depths, SliceSink sink);

  /** Reports what a track did between two times, at all depths. */
  default void slices(int track, long from, long to, long resolution, SliceSink sink) {
    slices(track, from, to, resolution, depth -> true, sink);
  }

  /** The call at this depth that covers the time, with its callers. */
  Optional<CallDetail> call(int track, int depth, long time);

  /**
   * Hands out every call of a track that overlaps two times (ends included), in the order of their
   * ends, inner ones first: what summaries and searches are made of. Takes time: hundreds of
   * thousands of calls in 10 ms. A visitor that wants no more calls throws an exception.
   */
  void calls(int track, long from, long to, CallVisitor visitor);

  /** The calls that were counted and not recorded one by one. */
  default Counts counts() {
    return Counts.NONE;
  }

  /** Changes in how methods are recorded, in the order of their times. */
  default List<ModeStep> steps() {
    return List.of();
  }

  /** What the kernel was asked for about the states inside running. */
  default RecordedStates recordedStates() {
    return RecordedStates.of(IntStream.range(0, methods()).mapToObj(this::method));
  }

  /** What the probes of a process cost, if it said so. */
  default Optional<Definition.ProbeCost> probeCost(int process) {
    return Optional.empty();
  }

  /** Processor time that recording took beside its probes, by process. */
  default List<Definition.OwnCost> ownCosts() {
    return List.of();
  }

  /** The defined kinds of user events. */
  default Collection<TracedEvent> events() {
    return List.of();
  }

  default void events(int track, long from, long to, EventVisitor visitor) {}

  /**
   * Reports the user events on some tracks between two times; those of all tracks in about the
   * order of their times, because what several tracks have in one stream is read once.
   */
  default void events(Collection<Integer> tracks, long from, long to, EventVisitor visitor) {
    tracks.forEach(track -> events(track, from, to, visitor));
  }

  /** Answers a question about the stacks of samples, which do not change meanwhile. */
  default <T> T stacks(Function<SampledStacks, T> question) {
    return question.apply(SampledStacks.none());
  }

  /** The user counters, by track, then by event. */
  default List<CounterRange> counters() {
    return List.of();
  }

  /** A value that a counter had before a time: the last one, or one from shortly before. */
  default Optional<CounterValue> counterBefore(int track, int event, long time) {
    return Optional.empty();
  }

  /** The arrows of the states that end in a range (ends included), as the program reports them. */
  default Arrows arrows(long from, long to, int max) {
    return arrows(ArrowKind.WAIT, from, to, max);
  }

  /**
   * The arrows of one kind, of the states that end in a range (ends included), or of the messages
   * that were on their way in it.
   *
   * @param max arrows at most: those of the longest waits; any of the hand-offs, which take no time
   */
  default Arrows arrows(ArrowKind kind, long from, long to, int max) {
    return new Arrows(List.of(), false);
  }

  /** The kernel's events as the kernel has them, as far as they are known by now. */
  default KernelEvents kernelEvents() {
    return KernelEvents.NONE;
  }

  /** Where executed instructions are irregular. */
  default RecordedPoints points() {
    return RecordedPoints.NONE;
  }

  Overview overview();

  /** Intervals of a track in which events were lost, those that overlap the window. */
  List<Gap> gaps(int track, long from, long to);

  /** Whether events of a track may have been lost in a time: its own, or in the ring it shares. */
  default boolean isLossy(int track, long from, long to) {
    return !gaps(track, from, to).isEmpty();
  }

  /**
   * Why the index is not kept in the recording, so that opening it will take as long again; empty
   * if it is kept.
   */
  default String notKept() {
    return "";
  }

  /** Room for what is made of the whole recording, once it is complete. */
  Annex annex();

  /** What was odd about the recording, one sentence each, with file, offset and facts. */
  List<String> oddities();

  @Override
  void close();
}
