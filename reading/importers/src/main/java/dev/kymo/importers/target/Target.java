package dev.kymo.importers.target;

import dev.kymo.format.Clock;
import dev.kymo.format.Definition;
import dev.kymo.format.Redaction;
import dev.kymo.writer.DefinitionFile;
import dev.kymo.writer.RecordingFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The recording that an import writes: its processes, what happened on their tracks, what became of
 * what. Used by one thread; {@link #close} completes it.
 */
public final class Target implements AutoCloseable {
  private static final int WHOLE = 0;

  /** After this many things, readers can see more. */
  private static final int VISIBLE_EVERY = 1 << 16;

  private final RecordingFiles files;
  private final @Nullable Watcher watcher;
  private final Redaction redaction;
  private final Clock clock;
  private final DefinitionFile whole;
  private final Source source;
  private final Tally tally = new Tally();
  private final Troubles troubles = new Troubles();
  private final List<TargetProcess> processes = new ArrayList<>();
  private final List<TargetTrack> tracks = new ArrayList<>();
  private final Lines lines;
  private final @Nullable Sorter sorter;
  private final long first;
  private @Nullable KernelTarget kernel;
  private long last;
  private long lost;
  private int hidden;
  private long settled;

  Target(
      Path directory,
      @Nullable Watcher watcher,
      Redaction redaction,
      Clock clock,
      long first,
      Source source,
      Order order)
      throws IOException {
    this.files =
        watcher == null
            ? RecordingFiles.create(directory, clock)
            : RecordingFiles.growing(directory, clock);
    this.watcher = watcher;
    this.redaction = redaction;
    this.clock = clock;
    this.whole = new DefinitionFile(files.directory(), files.uuid(), WHOLE);
    this.source = source;
    this.first = first;
    this.last = first;
    this.lines = new Lines(troubles);
    this.sorter = order == Order.ANY ? new Sorter(directory) : null;
    whole.define(
        first,
        new Definition.Recording(
            "",
            source.command(),
            source.host(),
            source.kernel(),
            source.processor(),
            source.processors(),
            ""));
  }

  /**
   * A process with a number of its own in the recording.
   *
   * @param pid 0 if the file has none
   * @param parent 0 if it is not known
   * @param command line, or name; secrets in it are left out, as {@link #redaction} says
   * @param machine virtual machine that runs it, {@code native} if none, empty if not known
   */
  public TargetProcess process(int pid, int parent, String command, String machine)
      throws IOException {
    TargetProcess process =
        new TargetProcess(this, processes(), facts(pid, parent, command, machine));
    processes.add(process);
    return process;
  }

  /** A process with neither a number nor a machine would be the kernel. */
  ProcessFacts facts(int pid, int parent, String command, String machine) {
    boolean unknown = pid == 0 && machine.isEmpty();
    return new ProcessFacts(
        pid, parent, redaction.of(command), unknown ? source.format() : machine);
  }

  private int processes() {
    return processes.size() + (kernel == null ? 0 : 1) + 1;
  }

  /**
   * The kernel's events of a system, from which the states of threads and processors follow. There
   * is one, made at the first call.
   *
   * @param system {@code Linux 6.1.0}
   * @param processors a bound on their numbers
   */
  public KernelTarget kernel(String system, int processors) throws IOException {
    KernelTarget known = kernel;
    if (known == null) {
      known = new KernelTarget(this, files, processes(), system, processors, first);
      kernel = known;
    }
    return known;
  }

  /** What is left out of command lines, and of properties, that other tracers have written. */
  public Redaction redaction() {
    return redaction;
  }

  public Tally tally() {
    return tally;
  }

  public Troubles troubles() {
    return troubles;
  }

  public void notice(String text) throws IOException {
    whole.define(first, new Definition.Notice(WHOLE, text));
  }

  RecordingFiles files() {
    return files;
  }

  /** The clock of definitions: that of what was written last. */
  long now() {
    return last;
  }

  void definedAt(long clock) {
    last = Math.max(last, clock);
  }

  int add(TargetTrack track) {
    tracks.add(track);
    return tracks.size() - 1;
  }

  /** Takes what happened; sorts it first if it must. */
  void take(Happening what) throws IOException {
    Sorter sorting = sorter;
    if (sorting != null) {
      sorting.add(what);
    } else {
      write(what);
    }
  }

  /**
   * Says that nothing from before this time will come any more: what is earlier need not wait for
   * the end to be sorted.
   */
  public void settled(long clock) throws IOException {
    Sorter sorting = sorter;
    // To look at all for the sake of few would take long.
    if (sorting != null && clock > settled && sorting.fresh() >= VISIBLE_EVERY) {
      settled = clock;
      sorting.giveUpTo(clock - 1, this::write);
    }
  }

  private void write(Happening what) throws IOException {
    long clock = Math.max(what.clock(), last);
    if (clock != what.clock()) {
      troubles.count(
          "time steps back; these events are at the time of the event before",
          "time=%d before=%d".formatted(what.clock(), clock));
    }
    last = clock;
    lines.endCalls(clock);
    if (what.track() < 0) {
      writeKernel(clock, what);
    } else {
      lines.write(tracks.get(what.track()), clock, what);
    }
    if (++hidden == VISIBLE_EVERY) {
      hidden = 0;
      show();
    }
  }

  /** Lets readers see what there is; without readers, too, so that the recording is the same. */
  private void show() throws IOException {
    whole.flush();
    for (TargetProcess process : processes) {
      process.flush();
    }
    KernelTarget events = kernel;
    if (events != null) {
      events.flush();
    }
    Watcher told = watcher;
    if (told != null) {
      told.grown(false);
      files.present(last - 1); // more may come of that very time
    }
  }

  private void writeKernel(long clock, Happening what) throws IOException {
    KernelTarget to = kernel;
    if (to != null) {
      to.write(clock, what);
    }
  }

  void lose(long count) {
    lost += count;
  }

  /** Events that are missing in the file, as it says. */
  public long lost() {
    return lost;
  }

  /** Completes the recording. */
  @Override
  public void close() throws IOException {
    try (files;
        whole) {
      Sorter sorting = sorter;
      if (sorting != null) {
        try (sorting) {
          sorting.giveAll(this::write);
        }
      }
      lines.endCalls(Long.MAX_VALUE);
      notice(
          "imported from "
              + source.format()
              + ": file="
              + source.command()
              + " events="
              + tally.total());
      for (String text : tally.texts()) {
        notice(text);
      }
      for (String text : troubles.texts()) {
        notice(text);
      }
      for (TargetProcess process : processes) {
        process.close();
        whole.define(
            last, new Definition.ProcessEnd(process.number(), Definition.ProcessEnd.STOPPED, 0));
      }
      KernelTarget events = kernel;
      if (events != null) {
        events.close();
        files.describe(clock, events.formats());
      }
      if (watcher != null) {
        watcher.grown(true);
      }
    }
  }
}
