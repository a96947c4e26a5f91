package dev.kymo.model.calls;

import dev.kymo.format.Clock;
import dev.kymo.format.Definition;
import dev.kymo.format.NoticeCode;
import dev.kymo.model.counts.CountLog;
import dev.kymo.model.counts.CountReadings;
import dev.kymo.model.counts.Counts;
import dev.kymo.model.counts.ReadingSink;
import dev.kymo.model.counts.ThreadCounts;
import dev.kymo.model.definitions.MethodTable;
import dev.kymo.model.definitions.ModeStep;
import dev.kymo.model.definitions.NanoClock;
import dev.kymo.model.definitions.RecordedDefinitions;
import dev.kymo.model.definitions.TrackKind;
import dev.kymo.reader.Diagnostics;
import dev.kymo.reader.EventSink;
import dev.kymo.reader.Oddity;
import dev.kymo.reader.Recording;
import dev.kymo.reader.SegmentMerge;
import dev.kymo.reader.ThreadStream;
import dev.kymo.reader.TimeMerge;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** One reading of a whole recording, from its first to its last event. */
public final class CallPass {
  private final Recording recording;
  private final Clock clock;
  private final Diagnostics diagnostics;
  private final RecordedDefinitions definitions;
  private final CountLog counts;
  private final List<ThreadStream> streams;
  private final long base;
  private List<ThreadCalls> threads = List.of();
  private long end;
  private @Nullable List<String> oddities;

  private CallPass(Recording recording) {
    this.recording = recording;
    this.clock = recording.metadata().clock();
    this.diagnostics = new Diagnostics();
    recording.isReadWith(diagnostics);
    this.definitions = RecordedDefinitions.read(recording, diagnostics);
    definitions.streams().forEach(stream -> recording.check(stream, diagnostics));
    definitions.notices().forEach(this::checkSource);
    this.counts = new CountLog(definitions.methods(), clock);
    this.counts.read(recording, diagnostics);
    this.streams = recording.openThreads(diagnostics);
    long first = Long.MAX_VALUE;
    for (ThreadStream stream : streams) {
      first = stream.hasNext() ? Math.min(first, stream.clock()) : first;
    }
    first = first == Long.MAX_VALUE ? definitions.firstClock() : first;
    this.base = first == Long.MAX_VALUE ? 0 : first;
    this.end = base;
  }

  /** A slice has the oddities of the recording that it was cut from. */
  private void checkSource(Definition.Notice notice) {
    if (notice.text().startsWith(NoticeCode.DAMAGED_SOURCE.text())) {
      String said = notice.text().substring(NoticeCode.DAMAGED_SOURCE.text().length());
      diagnostics.add(Oddity.DAMAGED_SOURCE, "p0-definitions", 0, () -> '"' + said + '"');
    }
  }

  private CallPass(
      Recording recording,
      Diagnostics diagnostics,
      RecordedDefinitions definitions,
      CountLog counts,
      Clock clock,
      long base,
      long end) {
    this.recording = recording;
    this.clock = clock;
    this.diagnostics = diagnostics;
    this.definitions = definitions;
    this.counts = counts;
    this.streams = List.of();
    this.base = base;
    this.end = end;
  }

  /**
   * A pass whose events were read before; the results of that are given.
   *
   * @param clock as it was known then; at a recording's end it is known better
   * @param numbers gives methods the numbers that they had then
   */
  public static CallPass restored(
      Recording recording, Clock clock, long base, long end, Consumer<MethodTable> numbers) {
    Diagnostics diagnostics = new Diagnostics();
    RecordedDefinitions definitions = RecordedDefinitions.none();
    numbers.accept(definitions.methods());
    definitions.readAll(recording, diagnostics);
    CountLog counts = new CountLog(definitions.methods(), clock);
    return new CallPass(recording, diagnostics, definitions, counts, clock, base, end);
  }

  /** A pass whose events, definitions and counts are read by its caller. */
  public static CallPass growing(
      Recording recording,
      Diagnostics diagnostics,
      RecordedDefinitions definitions,
      CountLog counts,
      long base) {
    Clock clock = recording.metadata().clock();
    return new CallPass(recording, diagnostics, definitions, counts, clock, base, base);
  }

  public void grow(CallBuilder builder) {
    threads = builder.threads();
    for (ThreadCalls thread : threads) {
      end = Math.max(end, Math.max(thread.last(), thread.gaps().lastEnd()));
      end = Math.max(end, counts.last(CountLog.Owner.of(thread)));
    }
  }

  public void restore(List<ThreadCalls> known, List<String> knownOddities) {
    counts.read(recording, new Diagnostics());
    threads = known;
    oddities = knownOddities;
    recording.wasReadWith(knownOddities);
  }

  /** Reads the definitions; the events are not yet read. */
  public static CallPass open(Recording recording) {
    return new CallPass(recording);
  }

  /**
   * Reads all events; once.
   *
   * @param selection threads whose calls are built; others are only counted
   */
  public CallPass run(CallSink sink, Predicate<ThreadCalls> selection, ProgressListener progress) {
    CallBuilder builder = new CallBuilder(recording, definitions, diagnostics, sink, selection);
    return run(builder, builder, progress);
  }

  /** Reads all events through a sink that passes them on to the builder. */
  public CallPass run(CallBuilder builder, EventSink first, ProgressListener progress) {
    long total = recording.size();
    SegmentMerge.run(streams, first, done -> progress.progress(done, total));
    return finish(builder);
  }

  /** Reports to the builder the threads with counted calls, and until when they were counted. */
  public void addCounted(CallBuilder builder) {
    for (CountLog.Owner owner : counts.owners()) {
      builder.counted(owner.process(), owner.thread(), counts.last(owner));
    }
  }

  private CallPass finish(CallBuilder builder) {
    addCounted(builder);
    builder.finish();
    grow(builder);
    if (threads.isEmpty()) {
      end = Math.max(end, definitions.lastClock());
    }
    return this;
  }

  /** Reads all events in the order of time over all threads; once. */
  public CallPass runMerged(CallSink sink, Predicate<ThreadCalls> selection) {
    return runMerged(sink, selection, ProgressListener.NONE);
  }

  public CallPass runMerged(
      CallSink sink, Predicate<ThreadCalls> selection, ProgressListener progress) {
    CallBuilder builder = new CallBuilder(recording, definitions, diagnostics, sink, selection);
    TimeMerge.run(streams, new MeteredSink(builder, recording.size(), progress));
    progress.progress(recording.size(), recording.size());
    return finish(builder);
  }

  /**
   * Reads everything but calls of threads: their states, and what the virtual machine did. It may
   * be called before the events are read, and repeatedly. Streams that have only calls are not
   * read.
   */
  public void readStates(CallSink sink) {
    Set<Integer> without = new HashSet<>();
    definitions.processes().forEach(process -> without.add(process.process()));
    definitions.forEachThread((process, thread) -> {
      if (TrackKind.of(thread) != TrackKind.CALLS) {
        without.remove(process);
      }
    });
    Diagnostics unheard = new Diagnostics();
    List<ThreadStream> some = new ArrayList<>(recording.openThreads(unheard));
    some.removeIf(
        stream -> !stream.hasNext() || without.contains(stream.process()) || hasCallsOnly(stream));
    if (!some.isEmpty()) {
      CallBuilder builder =
          new CallBuilder(
              recording,
              definitions,
              unheard,
              sink,
              thread -> TrackKind.of(thread.definition()) != TrackKind.CALLS);
      SegmentMerge.run(some, builder, done -> {});
      builder.finish();
    }
  }

  /** Native threads write their waits between their calls; other threads never do. */
  private boolean hasCallsOnly(ThreadStream stream) {
    return TrackKind.of(definitions.threadOrNameless(stream.process(), stream.thread()))
            == TrackKind.CALLS
        && definitions.processes().stream()
            .noneMatch(p -> p.process() == stream.process() && p.isNative());
  }

  /** Hands all events, in the order of time over all threads, to a sink; once. */
  public void events(EventSink sink) {
    TimeMerge.run(streams, sink);
  }

  public CallBuilder builder(CallSink sink) {
    return new CallBuilder(recording, definitions, diagnostics, sink, thread -> true);
  }

  public Recording recording() {
    return recording;
  }

  public RecordedDefinitions definitions() {
    return definitions;
  }

  /** All oddities met so far. */
  public Diagnostics diagnostics() {
    return diagnostics;
  }

  /** Oddities met when opening and reading, as lines of text. */
  public List<String> oddities() {
    if (oddities != null) {
      return oddities;
    }
    List<String> all = new ArrayList<>(recording.diagnostics().texts());
    all.addAll(diagnostics.texts());
    return all;
  }

  public Clock clock() {
    return clock;
  }

  /** Clock at the recording's begin: time 0. */
  public long base() {
    return base;
  }

  /** Clock of the last event, or of the last loss. */
  public long end() {
    return end;
  }

  /** What the probes of a process cost, if it said so. */
  public Optional<Definition.ProbeCost> probeCost(int process) {
    return definitions.probeCost(process);
  }

  /** Processor time that recording took beside its probes, by process. */
  public List<Definition.OwnCost> ownCosts() {
    return definitions.ownCosts();
  }

  /**
   * Changes in how methods are recorded, in the order of their times, which are nanoseconds since
   * the begin.
   */
  public List<ModeStep> steps() {
    NanoClock clock = nanoClock();
    return definitions.steps().stream()
        .map(s ->
            new ModeStep(
                clock.nanos(Math.max(base, s.time())),
                s.process(),
                s.method(),
                s.mode(),
                s.before(),
                s.reason()))
        .toList();
  }

  /** The calls that were counted and not recorded one by one; once all events were read. */
  public Counts counts() {
    return counts(threads::get);
  }

  public long countRecords() {
    return counts.records();
  }

  /**
   * Hands out the readings of a thread's counters in a range, as if counting had begun with the
   * range and the counters had been read at its end. Those of one counter come in the order of
   * time.
   *
   * @param from clock
   * @param to clock, or the end of what was counted if that is earlier
   */
  public void readings(ThreadCalls thread, long from, long to, ReadingSink sink) {
    CountLog.Owner owner = CountLog.Owner.of(thread);
    long last = Math.min(to, counts.last(thread.process()));
    CountReadings readings =
        new CountReadings(definitions.methods(), thread.thread(), from, last, sink);
    counts.read(
        owner,
        base,
        (series, begin, end, was, is) -> readings.take(series, begin, end, was, is, from <= base));
    readings.finish();
  }

  /** The counts of one thread, for any track number; also while events are read. */
  public Counts countsOf(ThreadCalls thread) {
    return counts(track -> thread);
  }

  public Counts counts(IntFunction<ThreadCalls> byTrack) {
    return new ThreadCounts(counts, base, this::nanoClock, byTrack);
  }

  public CountLog countLog() {
    return counts;
  }

  /** Converts this recording's clock; one for each thread that uses it. */
  public NanoClock nanoClock() {
    return new NanoClock(clock, base);
  }

  /** By track of states, the thread that was in them; once all events were read. */
  public Map<ThreadCalls, ThreadCalls> owners() {
    StateOwners owners = new StateOwners(threads, definitions);
    Map<ThreadCalls, ThreadCalls> found = new HashMap<>();
    for (int i = 0; i < threads.size(); i++) {
      int owner = owners.of(i);
      if (owner >= 0) {
        found.put(threads.get(i), threads.get(owner));
      }
    }
    return found;
  }

  /** All threads that were met, in that order. */
  public List<ThreadCalls> threads() {
    return threads;
  }
}
