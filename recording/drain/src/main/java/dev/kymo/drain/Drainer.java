package dev.kymo.drain;

import dev.kymo.format.Definition;
import dev.kymo.format.Redaction;
import dev.kymo.format.RingLayout;
import dev.kymo.recorder.Session;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Empties the rings of all recorded processes into the recording, until its owner ends it. Used by
 * one thread. When the disk is full it says so once, asks the processes to stop, and goes on taking
 * packets without writing them, so that no program waits for room that will not come.
 */
public final class Drainer implements AutoCloseable {
  private static final long STOP_PATIENCE_MILLIS = 5_000;
  private static final int ROUNDS_PER_LOOK = 20;
  private static final int ROUNDS_PER_SEARCH = 8;

  /** The drainer waits longer after this many quiet rounds. */
  private static final int QUIET_ROUNDS = 50;

  /** Wait while no ring can fill; processes are found each {@link #ROUNDS_PER_SEARCH} rounds. */
  private static final int NOBODY_MILLIS = 20;

  private final Session session;
  private final RecordingDirectory directory;
  private final ClockCalibration calibration;
  private final Redaction redaction;
  private final Consumer<String> complaints;
  private final RecorderStream own;
  private final Snapshots snapshots;
  private final RecordLook look = new RecordLook();
  private final Unfollowed unfollowed;
  private final Map<Path, ProcessDrain> running = new TreeMap<>();
  private final ProcessFinder finder;
  private final List<Definition.Notice> notices = new ArrayList<>();
  private final Segments segments;
  private final boolean followable;
  private final long begun = System.nanoTime();
  private long lastPresent = System.nanoTime() - Flushing.AUTO.nanos();
  private Flushing flushing = Flushing.AUTO;
  private long unwritten;
  private long heartbeat;
  private long bytes;
  private long droppedBytes;
  private int processes;
  private int quiet;
  private boolean failed;
  private boolean stopping;
  private @Nullable RecorderLock lock;
  private boolean finishing;
  private BooleanSupplier isFull = () -> false;
  private boolean wasFull;
  private Runnable beforeFinish = () -> {};
  private boolean inProgram;

  /**
   * Begins a recording.
   *
   * @param redaction what of command lines is left out
   * @param complaints receives one sentence about each failure
   */
  public Drainer(
      Session session,
      RecordingDirectory directory,
      ClockCalibration calibration,
      Redaction redaction,
      Consumer<String> complaints)
      throws IOException {
    this(session, directory, calibration, redaction, complaints, new Segments(0, 1));
  }

  /** Begins a recording that keeps only its newest part, in a given number of files per stream. */
  public static Drainer bounded(
      Session session,
      RecordingDirectory directory,
      ClockCalibration calibration,
      Redaction redaction,
      Consumer<String> complaints,
      long mostBytes,
      int files)
      throws IOException {
    // While one more is written than is kept, the oldest is still there.
    Segments segments = new Segments(Math.max(1, mostBytes / (files + 1)), files + 1);
    return new Drainer(session, directory, calibration, redaction, complaints, segments);
  }

  private Drainer(
      Session session,
      RecordingDirectory directory,
      ClockCalibration calibration,
      Redaction redaction,
      Consumer<String> complaints,
      Segments segments)
      throws IOException {
    this.redaction = redaction;
    this.segments = segments;
    this.session = session;
    this.directory = directory;
    this.calibration = calibration;
    this.complaints = complaints;
    this.followable = !session.buffers().isFlightRecorder() && !segments.areBounded();
    this.own = new RecorderStream(directory.path(), session.uuid());
    this.snapshots = new Snapshots(session, directory.path());
    this.unfollowed = new Unfollowed(session.directory());
    Output output = new Output(directory.path(), session.uuid(), segments, redaction);
    this.finder = new ProcessFinder(session, output, this::report);
  }

  /**
   * Writes the best description of the clock so far. Readers of a growing recording keep using the
   * description they find, which at the start is only a first estimate. If it cannot be written,
   * that estimate stays until the end.
   */
  public void refineClock() {
    try {
      directory.writeMetadata(session.uuid(), calibration.clock());
    } catch (IOException e) {
      // the end reports it, if it still cannot be written then
    }
  }

  /**
   * Writes the metadata with a first estimate of the clock. From now on programs see that there is
   * a recorder.
   */
  public void begin(String version, String command) throws IOException {
    lock = RecorderLock.take(session.directory());
    directory.writeMetadata(session.uuid(), calibration.clock());
    own.write(
        calibration.now(),
        Machine.recording(version, redaction.of(command), whenFull(session.buffers().whenFull())));
  }

  /**
   * Adds a process, and those that it starts, whatever user they run as. Other processes belong to
   * the recording only if they run as this user. Any thread may call this.
   */
  public void follow(long pid) {
    finder.follow(pid);
  }

  /** Takes the records in the rings; returns the bytes taken, 0 when all rings were quiet. */
  public long round() {
    heartbeat++;
    long before = bytes;
    boolean crowded = false;
    boolean noRoom = !finishing && isFull.getAsBoolean();
    boolean full = noRoom && wasFull;
    // All records are taken once more before any are left in the rings: who makes room by reading
    // has to know up to which clock the files are complete.
    boolean everything =
        noRoom != wasFull
            || System.nanoTime() - lastPresent >= flushing.nanos()
            || unwritten >= flushing.bytes()
            || flushWanted();
    wasFull = noRoom;
    // Read first: any process or record that is not seen below came later than this.
    long present = everything ? calibration.now() : 0;
    unwritten = 0;
    try {
      if (everything || heartbeat % ROUNDS_PER_SEARCH == 1) {
        findNewProcesses();
      }
      for (ProcessDrain process : running.values()) {
        int flushes = process.flushesAsked();
        long states = process.statesUntil();
        crowded |= process.look(heartbeat);
        unwritten += process.unwritten();
        bytes += full ? process.takeDefinitions(everything) : process.take(everything, present);
        if (everything && !full) {
          process.flushed(flushes);
          sayStates(process, states);
        }
      }
      if (everything) {
        sayUnfollowed(present);
        if (!full) {
          sayPresent(present);
        }
      }
      takeSnapshot();
      dropOldest();
      writeNotices();
    } catch (IOException e) {
      fail(e);
    }
    if (heartbeat % ROUNDS_PER_LOOK == 0) {
      endGone();
    }
    quiet = crowded ? 0 : quiet + 1;
    return bytes - before;
  }

  /** Whatever cannot be written: who waits for the processes' ends must not wait for ever. */
  private void endGone() {
    List<ProcessDrain> gone = running.values().stream().filter(each -> !each.isAlive()).toList();
    running.values().removeAll(gone);
    gone.forEach(this::end);
  }

  private void sayUnfollowed(long clock) throws IOException {
    for (String line : failed ? List.<String>of() : unfollowed.take()) {
      own.write(clock, new Definition.Notice(0, line));
    }
  }

  private void dropOldest() throws IOException {
    for (Path expired : segments.expired()) {
      for (ProcessDrain process : running.values()) {
        process.leave(expired);
      }
      droppedBytes += Files.size(expired);
      Files.deleteIfExists(expired);
    }
  }

  private boolean flushWanted() {
    return running.values().stream().anyMatch(ProcessDrain::flushWanted);
  }

  /** Has a flight recorder's records looked at; only before the first round. */
  public void watch(RecordWatch watch) {
    look.watch(watch);
  }

  private void takeSnapshot() throws IOException {
    int wanted = 0;
    for (ProcessDrain process : running.values()) {
      wanted += process.newSnapshots();
    }
    if (session.buffers().isFlightRecorder() && !failed) {
      List<RecordWatch.Reason> reasons = look.look(running.values(), calibration);
      if (wanted > 0 || !reasons.isEmpty()) {
        snapshots.take(running.values(), calibration, reasons, complaints);
      }
    }
  }

  /**
   * Leaves records in the rings while there is no room for them; what happens when a ring is full
   * happens then. At the end they are taken in any case. Only before the first round.
   */
  public void leaveWhile(BooleanSupplier noRoom) {
    isFull = noRoom;
  }

  /** Sets when open packets are written. Only before the first round. */
  public void flush(Flushing when) {
    flushing = when;
  }

  /** The drainer is a thread of a recorded program, which tells its cost itself. */
  public void runsInProgram() {
    inProgram = true;
  }

  /** Sets the work between the last record of the processes and the recording's completion. */
  public void beforeFinish(Runnable last) {
    beforeFinish = last;
  }

  /** Ends the recording: asks the running processes to stop, and takes everything. */
  public void finish() {
    finishing = true;
    round();
    search();
    for (ProcessDrain process : running.values()) {
      if (!process.saidEnded()) {
        process.requestStop();
      }
    }
    long deadline = System.nanoTime() + STOP_PATIENCE_MILLIS * 1_000_000;
    while (System.nanoTime() < deadline && !running.values().stream().allMatch(this::isQuiet)) {
      pause();
      round();
    }
    List<ProcessDrain> rest = new ArrayList<>(running.values());
    running.clear();
    rest.forEach(this::end);
    beforeFinish.run();
    try {
      writeNotices();
      directory.writeMetadata(session.uuid(), calibration.clock());
      if (!failed) {
        sayUnfollowed(calibration.now());
        if (!inProgram) {
          own.write(calibration.now(), ownCost());
        }
        if (segments.hasDropped()) {
          own.write(
              calibration.now(),
              new Definition.Notice(
                  0, "the oldest events were dropped, because the recording had its full size"));
        }
        own.writeStreams(calibration.now(), directory.path());
        directory.finish();
      }
    } catch (IOException e) {
      fail(e);
    }
  }

  /**
   * Ends the recording of processes that a killed recorder left behind; the clock stays as it is.
   */
  void salvage() throws IOException {
    findNewProcesses();
    for (ProcessDrain process : running.values()) {
      process.requestStop();
      end(process);
    }
    running.clear();
    writeNotices();
    own.write(
        calibration.now(),
        new Definition.Notice(
            0, "the recorder was killed; what the programs did after that is not recorded"));
    own.writeStreams(calibration.now(), directory.path());
    directory.finish();
  }

  /**
   * Asks all processes to stop recording; they run on, and their records are taken.
   *
   * @param why the recording ends here, for its readers; empty if it was meant to end
   */
  public void stopRecording(String why) {
    stopping = true;
    running.values().forEach(ProcessDrain::stopEarly);
    if (!why.isEmpty()) {
      try {
        own.write(calibration.now(), new Definition.Notice(0, why));
      } catch (IOException e) {
        fail(e);
      }
    }
  }

  /** Bytes written so far, without those dropped since. */
  public long bytes() {
    return bytes - droppedBytes;
  }

  public int processes() {
    return processes;
  }

  public boolean hasRunning() {
    return !running.isEmpty();
  }

  /** Whether this process is being recorded, or was. */
  public boolean hasSeen(long pid) {
    return running.values().stream().anyMatch(p -> p.pid() == pid);
  }

  public boolean failed() {
    return failed;
  }

  @Override
  public void close() throws IOException {
    own.close();
    for (ProcessDrain process : running.values()) {
      process.close();
    }
    if (lock != null) {
      lock.close();
    }
  }

  /**
   * Waits for a shorter time than a busy thread needs to fill its ring, or until the thread is
   * unparked.
   */
  public void pause() {
    long millis = running.isEmpty() ? NOBODY_MILLIS : quiet < QUIET_ROUNDS ? 1 : 4;
    LockSupport.parkNanos(millis * 1_000_000);
  }

  /** The cost of draining: the processor time of this whole process. */
  private Definition.OwnCost ownCost() {
    long cpu =
        ProcessHandle.current().info().totalCpuDuration().map(time -> time.toNanos()).orElse(0L);
    return new Definition.OwnCost(0, 0, 0, cpu, System.nanoTime() - begun);
  }

  private void sayPresent(long clock) throws IOException {
    lastPresent = System.nanoTime();
    if (followable && !failed) {
      directory.writePresent(clock);
    }
  }

  private void sayStates(ProcessDrain process, long clock) throws IOException {
    if (clock != 0 && followable && !failed) {
      directory.writeStates(process.number(), clock);
    }
  }

  private void search() {
    try {
      findNewProcesses();
    } catch (IOException e) {
      fail(e);
    }
  }

  private boolean isQuiet(ProcessDrain process) {
    return process.saidEnded() || !process.isAlive();
  }

  private void findNewProcesses() throws IOException {
    for (ProcessDrain process : finder.find()) {
      running.put(process.folder(), process);
      processes++;
      if (failed) {
        process.giveUp();
      } else if (stopping) {
        process.stopEarly();
      }
    }
  }

  private void report(Definition.Notice notice) {
    notices.add(notice);
    complaints.accept(notice.text());
  }

  private void writeNotices() throws IOException {
    for (Definition.Notice notice : notices) {
      if (!failed) {
        own.write(calibration.now(), notice);
      }
    }
    notices.clear();
  }

  private void end(ProcessDrain process) {
    finder.ended(process.pid());
    try (process) {
      bytes += process.finish(calibration.now());
      sayStates(process, process.statesUntil() == 0 ? 0 : Long.MAX_VALUE);
      Definition.ProcessEnd end = process.end();
      if (failed) {
        writeIfThereIsRoom(end);
      } else {
        own.write(calibration.now(), end);
      }
    } catch (IOException e) {
      fail(e);
    }
  }

  /** On a full disk the last block of a file mostly has room for a little more. */
  private void writeIfThereIsRoom(Definition definition) {
    try {
      own.write(calibration.now(), definition);
    } catch (IOException e) {
      // There is no room. The failure was already reported.
    }
  }

  private void fail(IOException cause) {
    if (!failed) {
      failed = true;
      String why = directory.isThere() ? cause.getMessage() : directory.gone();
      complaints.accept(why + "; recording stops, the program runs on, what was written is kept");
      writeIfThereIsRoom(
          new Definition.Notice(0, "the recording ends here, it could not be written: " + why));
    }
    running.values().forEach(ProcessDrain::giveUp);
  }

  private static String whenFull(int mode) {
    return switch (mode) {
      case RingLayout.BLOCK -> "block";
      case RingLayout.OVERWRITE -> "overwrite";
      default -> "discard";
    };
  }
}
