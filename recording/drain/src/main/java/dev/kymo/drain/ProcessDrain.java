package dev.kymo.drain;

import dev.kymo.format.ControlLayout;
import dev.kymo.format.Definition;
import java.io.IOException;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * All rings of one recorded process, and whether it still lives. If the process has overwritten a
 * ring in its shared memory, this ends only that ring's stream, with a notice.
 */
final class ProcessDrain implements AutoCloseable {
  /** At most this many rings are under construction at the same time, and therefore missing. */
  private static final int MOST_MISSING = 4096;

  private static final int MISSING_PER_LOOK = 64;

  private final Home home;
  private final Output output;
  private final Consumer<Definition.Notice> notices;
  private final ByteBuffer control;
  private final int process;

  /** Values from when the process was found: later it may have overwritten them. */
  private final int pid;

  private final long begunBy;

  /** Null if the process gives numbers that hold here. */
  private final @Nullable OuterNumbers numbers;

  private final HomeOwner owner;
  private final List<@Nullable RingDrain> rings = new ArrayList<>();
  private final BitSet unusable = new BitSet();

  /** Number of rings up to the last existing one, and up to the first missing one. */
  private int known;

  private int firstMissing;

  /**
   * Rounds until the missing rings are looked for again: each look tries to open a file that does
   * not exist.
   */
  private int pauses;

  private @Nullable CountsDrain counts;
  private boolean countsUnusable;
  private int snapshots;
  private boolean stoppedEarly;

  private ProcessDrain(
      Home home, Output output, ByteBuffer control, int pid, Consumer<Definition.Notice> notices)
      throws DamagedMemoryException {
    this.home = home;
    this.output = output;
    this.control = control;
    this.notices = notices;
    this.process = home.number();
    this.pid = pid;
    this.numbers = pid == control.getInt(ControlLayout.PID_OFFSET) ? null : new OuterNumbers(pid);
    this.begunBy = control.getLong(ControlLayout.BEGUN_BY_OFFSET);
    this.owner = new HomeOwner(home, control, user -> HomeOwner.actsAs(pid, user));
  }

  /**
   * Opens the process that lives in a folder of the shared memory; null until it is ready.
   *
   * @param recorded which processes belong to the recording
   * @throws DamagedMemoryException if the folder is not that of a recorded process
   */
  static @Nullable ProcessDrain open(
      Path folder, Output output, RecordedProcesses recorded, Consumer<Definition.Notice> notices)
      throws IOException, DamagedMemoryException {
    Home home = Home.open(folder);
    ProcessDrain opened = null;
    try {
      ByteBuffer control = home.control();
      int pid =
          control == null ? 0 : recorded.here(control.getInt(ControlLayout.PID_OFFSET), folder);
      if (control != null && !home.isTrusted(control, pid, recorded::follows)) {
        throw new DamagedMemoryException(
            "a folder in shared memory is left alone, it belongs to a user who runs nothing that is"
                + " recorded: folder="
                + folder);
      }
      if (control != null) {
        opened = new ProcessDrain(home, output, control, pid, notices);
      }
      return opened;
    } finally {
      if (opened == null) {
        home.close();
      }
    }
  }

  int pid() {
    return pid;
  }

  Path folder() {
    return home.path();
  }

  /**
   * Notes how far the rings are filled: {@link #take} takes all definitions (ring 0), then the
   * threads up to there. Returns whether any fills fast.
   */
  boolean look(long heartbeat) throws IOException {
    control.putLong(ControlLayout.HEARTBEAT_OFFSET, heartbeat);
    owner.answer(System.nanoTime());
    if (pauses-- <= 0) {
      openNewRings();
    }
    boolean[] crowded = {false};
    forEachRing(ring -> crowded[0] |= ring.look());
    return crowded[0];
  }

  /**
   * Takes closed packets; returns the bytes taken.
   *
   * @param everything whether to write the records of open packets as well, and the counters once a
   *     second, or if the program wants to have everything written
   * @param clock now
   */
  long take(boolean everything, long clock) throws IOException {
    long[] bytes = {0};
    forEachRing(ring -> bytes[0] += ring.take(everything));
    if (everything) {
      boolean wanted = flushWanted();
      bytes[0] += takeCounts(drain -> drain.take(clock, wanted));
    }
    return bytes[0];
  }

  /** Bytes of records that {@link #look} saw, and that are in no file yet. */
  long unwritten() throws IOException {
    long[] bytes = {0};
    forEachRing(ring -> bytes[0] += ring.unwritten());
    return bytes[0];
  }

  /** Takes only what says what the records mean: few, and programs wait for room for them. */
  long takeDefinitions(boolean everything) throws IOException {
    long[] bytes = {0};
    forEachRing(ring -> bytes[0] += ring.hasDefinitions() ? ring.take(everything) : 0);
    return bytes[0];
  }

  boolean flushWanted() {
    return flushesAsked() != control.getInt(ControlLayout.FLUSHED_OFFSET);
  }

  int flushesAsked() {
    return control.getInt(ControlLayout.FLUSHES_OFFSET);
  }

  /** Reports that everything committed before this many flushes were requested is in the files. */
  void flushed(int asked) {
    control.putInt(ControlLayout.FLUSHED_OFFSET, asked);
  }

  /**
   * Clock up to which every state that is over is in the rings, of what {@link #look} will see from
   * now on; 0 if states come at once.
   */
  long statesUntil() {
    long until = control.getLong(ControlLayout.STATES_UNTIL_OFFSET);
    VarHandle.acquireFence();
    return until;
  }

  int number() {
    return process;
  }

  /** Snapshots that the process has requested and that were not taken yet. */
  int newSnapshots() {
    int asked = control.getInt(ControlLayout.SNAPSHOTS_OFFSET);
    int fresh = asked - snapshots;
    snapshots = asked;
    return fresh;
  }

  /** Takes everything; the process must have ended or stopped. */
  long finish(long clock) throws IOException {
    openNewRings();
    long[] bytes = {0};
    forEachRing(ring -> bytes[0] += ring.finish());
    return bytes[0] + takeCounts(drain -> drain.finish(clock));
  }

  /**
   * Writes the contents of a flight recorder's rings into a directory, and takes all definitions
   * that they need. Returns the first clock of what was copied, or {@link Long#MAX_VALUE}.
   */
  long copyRings(Path to) throws IOException {
    long[] first = {Long.MAX_VALUE};
    forEachRing(ring -> first[0] = Math.min(first[0], ring.copyTo(to)));
    forEachRing(ring -> ring.take(false)); // of a flight recorder these are the definitions only
    return first[0];
  }

  /** Passes on what the rings of a flight recorder have got, as far as {@link #look} saw it. */
  void tap(RecordWatch watch) throws IOException {
    forEachRing(ring -> ring.tap(watch));
  }

  /** Makes all rings stop using a file that is about to be deleted. */
  void leave(Path expired) throws IOException {
    forEachRing(ring -> ring.leave(expired));
  }

  void requestStop() {
    control.putInt(ControlLayout.STOP_OFFSET, 1);
  }

  /** Ends the recording of a process that goes on. */
  void stopEarly() {
    stoppedEarly |= isAlive() && !saidEnded();
    requestStop();
  }

  void giveUp() {
    stopEarly();
    if (counts != null) {
      counts.giveUp();
    }
    for (RingDrain ring : rings) {
      if (ring != null) {
        ring.giveUp();
      }
    }
  }

  boolean isAlive() {
    return Home.isAlive(pid, begunBy);
  }

  boolean saidEnded() {
    return control.getInt(ControlLayout.STATE_OFFSET) == ControlLayout.ENDED;
  }

  Definition.ProcessEnd end() {
    boolean isOwn = pid == ProcessHandle.current().pid(); // it is about to exit
    int how =
        (isAlive() && !(isOwn && saidEnded())) || stoppedEarly
            ? Definition.ProcessEnd.STOPPED
            : saidEnded() ? Definition.ProcessEnd.ENDED : Definition.ProcessEnd.KILLED;
    return new Definition.ProcessEnd(process, how, control.getLong(ControlLayout.LOST_OFFSET));
  }

  @Override
  public void close() throws IOException {
    for (RingDrain ring : rings) {
      if (ring != null) {
        ring.close();
      }
    }
    if (counts != null) {
      counts.close();
    }
    home.close();
  }

  private void openNewRings() throws IOException {
    if (counts == null && !countsUnusable) {
      takeCounts(none -> 0);
    }
    int missing = 0;
    int count = Math.min(control.getInt(ControlLayout.RINGS_OFFSET), known + MOST_MISSING);
    while (rings.size() < count) {
      rings.add(null);
    }
    for (int i = firstMissing; i < rings.size(); i++) {
      if (rings.get(i) == null && !unusable.get(i)) {
        open(i);
      }
      if (rings.get(i) != null || unusable.get(i)) {
        known = Math.max(known, i + 1);
        firstMissing = missing == 0 ? i + 1 : firstMissing;
      } else {
        missing++;
      }
    }
    pauses = missing / MISSING_PER_LOOK;
  }

  private void open(int number) throws IOException {
    try {
      rings.set(number, RingDrain.open(home, output, process, number, numbers));
    } catch (DamagedMemoryException | RuntimeException | InternalError e) {
      unusable.set(number);
      report("a thread is not recorded, its shared memory is not as it was made", e);
    }
  }

  private interface RingAction {
    void run(RingDrain ring) throws IOException, DamagedMemoryException;
  }

  /**
   * Does something with each ring. A ring with invalid memory is given up; so is a ring whose
   * reading fails in a way that only invalid memory causes, or whose file has lost its pages.
   */
  private void forEachRing(RingAction action) throws IOException {
    for (RingDrain ring : rings) {
      if (ring == null) {
        continue;
      }
      try {
        action.run(ring);
      } catch (DamagedMemoryException | RuntimeException | InternalError e) {
        giveUp(ring, e);
      }
    }
  }

  private void giveUp(RingDrain ring, Throwable why) throws IOException {
    if (!unusable.get(ring.number())) { // its file may have lost its pages: then each access fails
      unusable.set(ring.number());
      report("a thread's shared memory was overwritten, its later events are not recorded", why);
    }
    try {
      ring.giveUpDamaged();
    } catch (RuntimeException | InternalError e) {
      ring.giveUp();
    }
  }

  private interface CountsAction {
    long run(CountsDrain drain) throws IOException;
  }

  private long takeCounts(CountsAction action) throws IOException {
    if (countsUnusable) {
      return 0;
    }
    try {
      if (counts == null) {
        counts = CountsDrain.open(home, output.recording(), output.uuid(), process);
      }
      return counts == null ? 0 : action.run(counts);
    } catch (RuntimeException | InternalError e) {
      countsUnusable = true;
      report("the counters were overwritten, calls that were counted after this are missing", e);
      return 0;
    }
  }

  private void report(String what, Throwable why) {
    String facts = why instanceof DamagedMemoryException damage ? damage.what() : why.toString();
    notices.accept(new Definition.Notice(process, "%s: pid=%d %s".formatted(what, pid, facts)));
  }
}
