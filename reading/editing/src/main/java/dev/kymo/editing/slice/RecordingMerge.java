package dev.kymo.editing.slice;

import dev.kymo.editing.clocks.ClockCounters;
import dev.kymo.editing.clocks.ClockDrift;
import dev.kymo.format.Clock;
import dev.kymo.format.KernelEventFormat;
import dev.kymo.model.calls.CallPass;
import dev.kymo.model.calls.ProgressListener;
import dev.kymo.model.definitions.RecordedDefinitions;
import dev.kymo.reader.Diagnostics;
import dev.kymo.reader.Recording;
import dev.kymo.writer.DefinitionFile;
import dev.kymo.writer.RecordingFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * Several recordings as one, on one clock: that of the first. Processes and kinds of kernel events
 * get other numbers; everything else is as it was.
 */
public final class RecordingMerge {
  private final List<Part> parts = new ArrayList<>();
  private final Clock clock;

  /**
   * A recording that is to be merged with others.
   *
   * @param drift by which its times are moved
   * @param error nanoseconds by which its times may be wrong after that, if they were compared
   * @param joined how its clock was related to the others, for people
   */
  public record Source(Recording recording, ClockDrift drift, OptionalLong error, String joined) {
    /** Whether its ticks are those of another recording. */
    boolean hasCounterOf(Recording other) {
      return error.isEmpty()
          && ClockCounters.areSame(recording.metadata().clock(), other.metadata().clock());
    }
  }

  private RecordingMerge(List<Source> sources, List<CallPass> passes) {
    clock = common(sources, passes);
    int process = 0;
    int kernelEvent = 0;
    for (int i = 0; i < sources.size(); i++) {
      Source source = sources.get(i);
      Clock clockOfPart = source.recording().metadata().clock();
      boolean same = i == 0 || source.hasCounterOf(sources.get(0).recording());
      RecordedDefinitions definitions = passes.get(i).definitions();
      JoinedClock joined = new JoinedClock(clockOfPart, clock, same, source.drift());
      int firstProcess = process;
      int firstKind = kernelEvent;
      parts.add(
          new Part(
              i, source, joined, definitions, own -> firstProcess + own, own -> firstKind + own));
      process += processes(source.recording());
      kernelEvent += definitions.kernelEvents().size();
    }
  }

  /**
   * Reads what is needed to join recordings.
   *
   * @throws IOException if one counts instructions: its clock is no time
   */
  public static RecordingMerge of(List<Source> sources) throws IOException {
    List<CallPass> passes = new ArrayList<>();
    for (Source source : sources) {
      Recording recording = source.recording();
      checkHasTime(recording);
      passes.add(CallPass.open(recording));
    }
    return new RecordingMerge(sources, passes);
  }

  /**
   * Checks that a recording can be merged.
   *
   * @throws IOException if it counts instructions
   */
  static void checkHasTime(Recording recording) throws IOException {
    if (recording.metadata().clock().name().equals(Clock.INSTRUCTIONS)) {
      throw new IOException(
          "a recording of instructions has no time and cannot be merged: path=" + recording.path());
    }
  }

  /** The first one's clock; it begins whole seconds earlier if another recording does. */
  private static Clock common(List<Source> sources, List<CallPass> passes) {
    Clock first = sources.get(0).recording().metadata().clock();
    long begin = first.wallOffset();
    for (int i = 0; i < sources.size(); i++) {
      Clock own = sources.get(i).recording().metadata().clock();
      long base = own.wallOffset() + own.nanos(passes.get(i).base());
      begin = Math.min(begin, base + sources.get(i).drift().at(base));
    }
    long seconds = Math.floorDiv(first.wallOffset() - begin + 999_999_999L, 1_000_000_000L);
    return new Clock(
        first.name(), first.frequency(), first.wallOffset() - seconds * 1_000_000_000L);
  }

  private static int processes(Recording recording) {
    int most = 0;
    for (int i = 0; i < recording.definitionStreams().size(); i++) {
      var stream = recording.definitions(recording.definitionStreams().get(i), new Diagnostics());
      stream.next();
      most = Math.max(most, stream.process());
    }
    return most;
  }

  /** Writes all of them into an empty directory, once; returns the number of their events. */
  public long write(Path directory, ProgressListener progress) throws IOException {
    long all = parts.stream().mapToLong(part -> part.source().recording().size()).sum();
    long done = 0;
    long events = 0;
    List<KernelEventFormat> kernelEvents = new ArrayList<>();
    try (RecordingFiles files = RecordingFiles.create(directory, clock);
        DefinitionFile whole = new DefinitionFile(directory, files.uuid(), 0)) {
      for (int i = 0; i < parts.size(); i++) {
        long before = done;
        PartCopy copy = new PartCopy(parts.get(i), files, whole);
        events += copy.write(bytes -> progress.progress(before + bytes, all));
        kernelEvents.addAll(copy.kernelEvents());
        done += parts.get(i).source().recording().size();
      }
      if (!kernelEvents.isEmpty()) {
        files.describe(clock, kernelEvents);
      }
    }
    return events;
  }
}
