package dev.kymo.cli;

import com.sun.tools.attach.AgentInitializationException;
import com.sun.tools.attach.AgentLoadException;
import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import dev.kymo.recorder.Refusal;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Records a process that runs already, for a while or until it ends; then leaves it as it was. */
final class AttachRun {
  private static final long JOIN_MILLIS = 30_000;
  private static final long LOOK_MILLIS = 50;

  private final RecordingRun recording;
  private final long pid;
  private final @Nullable Duration duration;

  AttachRun(RecordingRun recording, long pid, @Nullable Duration duration) {
    this.recording = recording;
    this.pid = pid;
    this.duration = duration;
  }

  /** Exit code: 0 recorded, 1 the agent or kernel events did not start, 2 no such JVM. */
  int run() throws IOException, InterruptedException {
    CountDownLatch enough = new CountDownLatch(1);
    try (Signals signals = Signals.onEnd(enough::countDown)) {
      try {
        recording.begin(pid);
      } catch (IOException e) {
        return refuse(1, String.valueOf(e.getMessage()));
      }
      String obstacle = obstacle();
      String refused =
          obstacle == null ? attach() : "cannot record: pid=" + pid + " reason=" + obstacle;
      if (refused != null) {
        return refuse(2, refused);
      }
      String reason = Refusal.take(recording.sharedMemory());
      if (!reason.isEmpty()) {
        return refuse(1, "the agent did not start: pid=" + pid + " reason=" + reason);
      }
      if (!recording.awaitProcess(JOIN_MILLIS)) {
        return refuse(
            1, "the agent did not start, the process says why on its standard error: pid=" + pid);
      }
      long end = duration == null ? Long.MAX_VALUE : System.nanoTime() + duration.toNanos();
      while (recording.isRecording() && System.nanoTime() < end) {
        if (enough.await(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
          break;
        }
      }
      recording.finish();
      return 0;
    }
  }

  private @Nullable String obstacle() {
    return OtherUser.obstacle(pid, recording.options().agent(), recording.sharedMemory());
  }

  private @Nullable String attach() {
    try {
      VirtualMachine machine = VirtualMachine.attach(Long.toString(pid));
      try {
        machine.loadAgent(
            recording.options().agent().toString(), recording.sharedMemory().toString());
      } finally {
        machine.detach();
      }
      return null;
    } catch (AttachNotSupportedException | IOException e) {
      return "cannot attach, not a running Java program of this user: pid="
          + pid
          + " reason="
          + e.getMessage();
    } catch (AgentLoadException | AgentInitializationException e) {
      return "cannot load the agent: pid=" + pid + " reason=" + e.getMessage();
    }
  }

  private int refuse(int exit, String why) throws IOException, InterruptedException {
    recording.finish();
    recording.discard();
    RecordingRun.say(why);
    return exit;
  }
}
