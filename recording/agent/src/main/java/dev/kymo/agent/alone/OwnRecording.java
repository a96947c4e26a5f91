package dev.kymo.agent.alone;

import dev.kymo.drain.ClockCalibration;
import dev.kymo.drain.Drainer;
import dev.kymo.drain.Leftovers;
import dev.kymo.drain.RecordingDirectory;
import dev.kymo.drain.Salvage;
import dev.kymo.drain.SharedMemory;
import dev.kymo.drain.Unfollowed;
import dev.kymo.drain.Version;
import dev.kymo.drain.options.OptionWords;
import dev.kymo.format.ControlLayout;
import dev.kymo.recorder.ProcessRecorder;
import dev.kymo.recorder.Session;
import dev.kymo.recorder.platform.Messages;
import dev.kymo.recorder.platform.ProcFiles;
import dev.kymo.recorder.platform.RecorderThreads;
import dev.kymo.recorder.ring.DrainerWatch;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A recording that the program writes itself: what {@code kymo record} does otherwise, by a daemon
 * thread. It is complete when the virtual machine has gone down. If the program is killed, the rest
 * is in the shared memory, and the next recording on this machine completes it.
 */
public final class OwnRecording {
  /** After this time the clock is known well enough for readers of the growing recording. */
  private static final long ESTIMATE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  /** An exit does not wait for longer: the disk may have gone. */
  private static final long LONGEST_END_MILLIS = 30_000;

  private final Options options;
  private final Session session;
  private final RecordingDirectory directory;
  private final Drainer drainer;
  private final Thread thread;
  private final long begun = System.nanoTime();
  private volatile boolean ending;
  private boolean stopped;

  private OwnRecording(
      Options options, Session session, RecordingDirectory directory, Drainer drainer) {
    this.options = options;
    this.session = session;
    this.directory = directory;
    this.drainer = drainer;
    this.thread = RecorderThreads.daemon(this::drain, RecorderThreads.DRAINING);
  }

  /** Makes the recording, and what this process and its children need to join it. */
  public static OwnRecording begin(Options options) throws IOException {
    ClockCalibration clock = clock(options.clock());
    Path output = options.output();
    Path memory = SharedMemory.make(output);
    RecordingDirectory directory = null;
    try {
      directory = RecordingDirectory.create(output, memory);
      Session session = options.session(memory, output);
      SharedMemory.store(session);
      Unfollowed.make(memory);
      Drainer drainer =
          options.dropsOldest()
              ? Drainer.bounded(
                  session,
                  directory,
                  clock,
                  options.redaction(),
                  Messages::print,
                  options.maxSize(),
                  options.files())
              : new Drainer(session, directory, clock, options.redaction(), Messages::print);
      drainer.flush(options.flush());
      drainer.runsInProgram();
      drainer.begin(Version.TEXT, ProcFiles.commandLine());
      drainer.follow(ProcessHandle.current().pid());
      DrainerWatch.isHere(memory.resolve(ControlLayout.ALIVE));
      OwnRecording recording = new OwnRecording(options, session, directory, drainer);
      recording.thread.start();
      return recording;
    } catch (IOException | RuntimeException e) {
      SharedMemory.remove(memory);
      if (directory != null) {
        directory.close();
        RecordingDirectory.delete(output);
      }
      throw e;
    }
  }

  private static ClockCalibration clock(String name) throws IOException {
    try {
      return new ClockCalibration(name);
    } catch (IllegalStateException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  /** The directory of the shared memory, which is the agent's argument otherwise. */
  public Path sharedMemory() {
    return session.directory();
  }

  /** This process has joined: when it has said its last, the recording ends. */
  public void endWith(ProcessRecorder recorder) {
    recorder.ending().drained(this::end);
  }

  /** Nothing could be recorded. */
  public void discard() throws IOException {
    finish();
    RecordingDirectory.delete(directory.path());
  }

  private void end() {
    try {
      finish();
      if (!options.quiet() && !drainer.failed()) {
        Messages.print(
            "recorded "
                + OptionWords.megabytes(drainer.bytes())
                + " in "
                + directory.path()
                + "; look at it with: kymo view "
                + directory.path());
      }
    } catch (IOException | RuntimeException e) {
      Messages.print("the recording could not be completed: " + e);
    }
  }

  private void finish() throws IOException {
    ending = true;
    LockSupport.unpark(thread);
    try {
      thread.join(LONGEST_END_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (thread.isAlive()) {
      throw new IOException("it takes too long: recording=" + directory.path());
    }
    drainer.close();
    DrainerWatch.isHere(null);
    directory.close();
    SharedMemory.remove(session.directory());
  }

  private void drain() {
    try {
      Leftovers.remove(session.directory(), Salvage::salvage);
      boolean refined = false;
      while (!ending) {
        if (!refined && System.nanoTime() - begun > ESTIMATE_NANOS) {
          refined = true;
          drainer.refineClock();
        }
        long bytes = drainer.round();
        stopIfOver();
        if (bytes == 0) {
          drainer.pause();
        }
      }
      drainer.finish();
    } catch (RuntimeException | Error e) {
      Messages.print("the recording ends here, the program runs on: " + e);
      giveUp();
    }
  }

  /** The program's threads must not wait for a drainer that is not there any more. */
  private void giveUp() {
    DrainerWatch.isHere(null);
    try {
      drainer.close();
    } catch (IOException e) {
      // then they find out by the missing heartbeat
    }
  }

  private void stopIfOver() {
    long most = options.dropsOldest() ? 0 : options.maxSize();
    if (stopped) {
      return;
    }
    if (most > 0 && drainer.bytes() >= most) {
      stopped = true;
      String why = "it reached its maximum size: max_size=" + OptionWords.megabytes(most);
      Messages.print("the recording ends, the program runs on, because " + why);
      drainer.stopRecording("the recording ends here, because " + why);
    } else if (options.nanos() > 0 && System.nanoTime() - begun >= options.nanos()) {
      stopped = true;
      drainer.stopRecording("");
    }
  }
}
