package dev.kymo.cli.record;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import com.sun.tools.attach.AgentInitializationException;
import com.sun.tools.attach.AgentLoadException;
import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import dev.kymo.cli.control.RecordedProcess;
import dev.kymo.cli.system.OtherUser;
import dev.kymo.cli.system.Signals;
import dev.kymo.cli.terminal.ExitCode;
import dev.kymo.cli.terminal.Terminal;
import dev.kymo.recorder.Refusal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Records a process that is already running, for some time or until it ends. */
final class AttachRun {
  private static final long JOIN_MILLIS = 30_000;
  private static final long LOOK_MILLIS = 50;
  private static final long SAY_MILLIS = 1_000;

  private final RecordingRun recording;
  private final long pid;
  private final @Nullable Duration duration;

  AttachRun(RecordingRun recording, long pid, @Nullable Duration duration) {
    this.recording = recording;
    this.pid = pid;
    this.duration = duration;
  }

  /** Exit code: 0 recorded, 1 the agent or kernel events did not start, 2 no such process. */
  int run() throws IOException, InterruptedException {
    CountDownLatch enough = new CountDownLatch(1);
    try (Signals signals = Signals.onEnd(enough::countDown)) {
      try {
        recording.begin(pid);
      } catch (IOException e) {
        return refuse(ExitCode.FAILED, String.valueOf(e.getMessage()));
      }
      boolean java = isJava(pid);
      String refused = java ? attach() : offer();
      if (refused != null) {
        return refuse(ExitCode.USAGE, "cannot record: pid=" + pid + " reason=" + refused);
      }
      String reason = Refusal.take(recording.sharedMemory());
      if (!reason.isEmpty()) {
        return refuse(ExitCode.FAILED, "the agent did not start: pid=" + pid + " reason=" + reason);
      }
      String missing = java ? awaitAgent() : awaitFirstCall(enough);
      if (missing != null) {
        return refuse(ExitCode.FAILED, missing);
      }
      long end = duration == null ? Long.MAX_VALUE : System.nanoTime() + duration.toNanos();
      while (recording.isRecording() && System.nanoTime() < end) {
        if (enough.await(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
          break;
        }
      }
      recording.finish();
      return ExitCode.OK;
    }
  }

  /** Whether a process is a virtual machine, or cannot be inspected. */
  static boolean isJava(long pid) {
    try {
      return Files.readString(Path.of("/proc", Long.toString(pid), "maps"), ISO_8859_1)
          .contains("/libjvm.so");
    } catch (IOException e) {
      return true; // another user's, or no process: attaching reports what is wrong
    }
  }

  private @Nullable String awaitAgent() throws InterruptedException {
    return recording.awaitProcess(JOIN_MILLIS)
        ? null
        : "the agent did not start, the process says why on its standard error: pid=" + pid;
  }

  /** Why a native process cannot join; null if it can. */
  private @Nullable String offer() {
    try {
      if (RecordedProcess.isRecorded(pid)) {
        return "this process is recorded already";
      }
      NativeOffer offer = NativeOffer.find(pid);
      if (offer == null) {
        return "it is not a Java program and has no libkymo: start it with LD_PRELOAD="
            + Preload.library(recording.options().program().agent());
      }
      offer.make(recording.sharedMemory());
      return null;
    } catch (IOException e) {
      return String.valueOf(e.getMessage());
    }
  }

  /** Why it has not joined; null if it has. Joining can take as long as the program likes. */
  private @Nullable String awaitFirstCall(CountDownLatch enough) throws InterruptedException {
    if (recording.awaitProcess(SAY_MILLIS)) {
      return null;
    }
    Terminal.say("waiting for the first hooked function or event; Ctrl-C ends this: pid=" + pid);
    long begin = System.nanoTime();
    while (!recording.awaitProcess(LOOK_MILLIS)) {
      if (ProcessHandle.of(pid).isEmpty()) {
        return "the process has ended before it could be recorded: pid=" + pid;
      }
      boolean late = duration != null && System.nanoTime() - begin > duration.toNanos();
      if (late || enough.getCount() == 0) {
        return "nothing recorded, no hooked function or event was called: pid=" + pid;
      }
    }
    return null;
  }

  private @Nullable String attach() {
    String obstacle =
        OtherUser.obstacle(pid, recording.options().program().agent(), recording.sharedMemory());
    if (obstacle != null) {
      return obstacle;
    }
    try {
      VirtualMachine machine = VirtualMachine.attach(Long.toString(pid));
      try {
        machine.loadAgent(
            recording.options().program().agent().toString(), recording.sharedMemory().toString());
      } finally {
        machine.detach();
      }
      return null;
    } catch (AttachNotSupportedException | IOException e) {
      return "cannot attach, not a running Java program of this user: " + e.getMessage();
    } catch (AgentLoadException | AgentInitializationException e) {
      return "cannot load the agent: " + e.getMessage();
    }
  }

  private int refuse(int exit, String why) throws IOException, InterruptedException {
    recording.finish();
    recording.discard();
    Terminal.say(why);
    return exit;
  }
}
