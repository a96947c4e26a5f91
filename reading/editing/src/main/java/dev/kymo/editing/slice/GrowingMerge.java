package dev.kymo.editing.slice;

import dev.kymo.format.Clock;
import dev.kymo.format.KernelEventFormat;
import dev.kymo.model.definitions.RecordedDefinitions;
import dev.kymo.reader.Recording;
import dev.kymo.reader.RecordingException;
import dev.kymo.reader.RecordingState;
import dev.kymo.writer.DefinitionFile;
import dev.kymo.writer.RecordingFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Several recordings as one while they are written: each {@link #poll} copies what is new in them.
 * More of them may come later. Used by one thread, which is also the one that reads what was
 * copied: between two polls everything is there.
 */
public final class GrowingMerge implements AutoCloseable {
  /** The clock of all begins so much before the first recording: others may come from before. */
  private static final long EARLIER_SECONDS = 86_400;

  private final Clock clock;
  private final RecordingFiles files;
  private final DefinitionFile whole;
  private final Consumer<String> complaints;
  private final List<RecordingMerge.Source> sources = new ArrayList<>();
  private final List<GrowingPart> parts = new ArrayList<>();
  private int processes;
  private int kinds;
  private boolean closed;

  /**
   * None yet.
   *
   * @param directory that is empty
   * @param first whose clock is that of all
   * @param complaints takes a sentence if a recording cannot be followed any more
   */
  public GrowingMerge(Path directory, Recording first, Consumer<String> complaints)
      throws IOException {
    this.complaints = complaints;
    Clock own = first.metadata().clock();
    clock =
        new Clock(own.name(), own.frequency(), own.wallOffset() - EARLIER_SECONDS * 1_000_000_000L);
    files = RecordingFiles.growing(directory, clock);
    files.present(Long.MAX_VALUE);
    whole = new DefinitionFile(directory, files.uuid(), 0);
  }

  /**
   * One more, of which everything comes with the next poll.
   *
   * @param source is open as long as this is
   * @throws IOException if it counts instructions: its clock is no time
   */
  public void add(RecordingMerge.Source source) throws IOException {
    RecordingMerge.checkHasTime(source.recording());
    boolean same = sources.isEmpty() || source.hasCounterOf(sources.getFirst().recording());
    Clock own = source.recording().metadata().clock();
    Map<Integer, Integer> newProcesses = new HashMap<>();
    Map<Integer, Integer> newKinds = new HashMap<>();
    Part part =
        new Part(
            sources.size(),
            source,
            new JoinedClock(own, clock, same, source.drift()),
            RecordedDefinitions.none(),
            old -> newProcesses.computeIfAbsent(old, _ -> ++processes),
            old -> newKinds.computeIfAbsent(old, _ -> kinds++));
    sources.add(source);
    parts.add(new GrowingPart(part, files, whole));
  }

  /**
   * How the clock of one runs, as it is known by now; what was copied before stays where it is.
   *
   * @param number of the recording, in the order of coming, from 0
   */
  public void relate(int number, RecordingMerge.Source known) throws IOException {
    parts.get(number).relate(known);
  }

  /**
   * Clock of the newest event of a recording that was copied, in its own ticks; {@link
   * Long#MIN_VALUE} = there was none.
   */
  public long last(int number) {
    return parts.get(number).last();
  }

  /**
   * Copies what is new.
   *
   * @return whether one of them is still being written
   */
  public boolean poll() throws IOException {
    boolean growing = false;
    for (GrowingPart part : parts) {
      try {
        growing |= part.poll() == RecordingState.GROWING;
      } catch (RecordingException e) {
        complaints.accept(String.valueOf(e.getMessage()));
      }
    }
    whole.flush();
    return growing;
  }

  /** Completes what was copied. */
  @Override
  public void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    try (files;
        whole) {
      Map<Integer, KernelEventFormat> formats = new TreeMap<>();
      for (GrowingPart part : parts) {
        part.close();
        formats.putAll(part.kernelEvents());
      }
      if (!formats.isEmpty()) {
        files.describe(clock, List.copyOf(formats.values()));
      }
    }
  }
}
