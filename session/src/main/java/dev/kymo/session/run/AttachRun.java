package dev.kymo.session.run;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import com.sun.tools.attach.AgentInitializationException;
import com.sun.tools.attach.AgentLoadException;
import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import dev.kymo.recorder.Refusal;
import dev.kymo.session.ExitCode;
import dev.kymo.session.StandardError;
import dev.kymo.session.container.Container;
import dev.kymo.session.container.ContainerPlace;
import dev.kymo.session.container.SessionPlace;
import dev.kymo.session.control.RecordedProcess;
import dev.kymo.session.system.JvmFlags;
import dev.kymo.session.system.OtherUser;
import dev.kymo.session.system.Signals;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Records a process that is already running, for some time or until it ends. */
public final class AttachRun {
  private static final long JOIN_MILLIS = 30_000;
  private static final long LOOK_MILLIS = 50;
  private static final long SAY_MILLIS = 1_000;

  private final RecordingOptions options;
  private final long pid;
  private final @Nullable Duration duration;

  public AttachRun(RecordingOptions options, long pid, @Nullable Duration duration) {
    this.options = options;
    this.pid = pid;
    this.duration = duration;
  }

  /**
   * Exit code: 0 recorded, 1 the agent or kernel events did not start, or the recording could not
   * be written, 2 no such process.
   */
  public int run() throws IOException, InterruptedException {
    Path agent = options.program().agent();
    Container container;
    try {
      container = Container.of(pid);
    } catch (NoSuchFileException e) {
      StandardError.say("cannot record: pid=" + pid + " reason=there is no such process");
      return ExitCode.USAGE;
    }
    boolean apart = container.hasOtherFiles(agent);
    RecordingRun.PlaceMaker maker =
        apart
            ? () -> ContainerPlace.make(container, agent)
            : () -> SessionPlace.make(options.target().output());
    try (RecordingRun recording = RecordingRun.start(options, maker)) {
      return run(recording, container);
    }
  }

  private int run(RecordingRun recording, Container container)
      throws IOException, InterruptedException {
    CountDownLatch enough = new CountDownLatch(1);
    try (Signals signals = Signals.onEnd(enough::countDown)) {
      try {
        recording.begin(pid);
      } catch (IOException e) {
        return refuse(recording, ExitCode.FAILED, String.valueOf(e.getMessage()));
      }
      boolean java = isJava(pid);
      String refused = java ? attach(recording.place(), container) : offer(recording.place());
      if (refused != null) {
        return refuse(
            recording, ExitCode.USAGE, "cannot record: pid=" + pid + " reason=" + refused);
      }
      String reason = Refusal.take(recording.sharedMemory());
      if (!reason.isEmpty()) {
        return refuse(
            recording,
            ExitCode.FAILED,
            "the agent did not start: pid=" + pid + " reason=" + reason);
      }
      String missing = java ? awaitAgent(recording) : awaitFirstCall(recording, enough);
      if (missing != null) {
        return refuse(recording, ExitCode.FAILED, missing);
      }
      long end = duration == null ? Long.MAX_VALUE : System.nanoTime() + duration.toNanos();
      while (recording.isRecording() && System.nanoTime() < end) {
        if (enough.await(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
          break;
        }
      }
      recording.finish();
      return recording.failed() ? ExitCode.FAILED : ExitCode.OK;
    }
  }

  /** Whether a process is a virtual machine, or cannot be inspected. */
  public static boolean isJava(long pid) {
    try {
      return Files.readString(Path.of("/proc", Long.toString(pid), "maps"), ISO_8859_1)
          .contains("/libjvm.so");
    } catch (IOException e) {
      return true; // another user's, or no process: attaching reports what is wrong
    }
  }

  private @Nullable String awaitAgent(RecordingRun recording) throws InterruptedException {
    return recording.awaitProcess(JOIN_MILLIS)
        ? null
        : "the agent did not start, the process says why on its standard error: pid=" + pid;
  }

  /** Why a native process cannot join; null if it can. */
  private @Nullable String offer(SessionPlace place) {
    try {
      if (RecordedProcess.isRecorded(pid)) {
        return "this process is recorded already";
      }
      NativeOffer offer = NativeOffer.find(pid);
      if (offer == null) {
        return "it is not a Java program and has no libkymo: start it with LD_PRELOAD="
            + Preload.library(options.program().agent());
      }
      offer.make(place.there());
      return null;
    } catch (IOException e) {
      return String.valueOf(e.getMessage());
    }
  }

  /** Why it has not joined; null if it has. Joining can take as long as the program likes. */
  private @Nullable String awaitFirstCall(RecordingRun recording, CountDownLatch enough)
      throws InterruptedException {
    if (recording.awaitProcess(SAY_MILLIS)) {
      return null;
    }
    StandardError.say(
        "waiting for the first hooked function or event; Ctrl-C ends this: pid=" + pid);
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

  private @Nullable String attach(SessionPlace place, Container container) {
    Path agent = options.program().agent();
    boolean apart = place instanceof ContainerPlace;
    String obstacle = apart ? null : OtherUser.obstacle(pid, agent, place.here());
    if (obstacle != null) {
      return obstacle;
    }
    String flags = JvmFlags.of(pid).obstacle();
    if (!flags.isEmpty()) {
      return flags + "; start it with kymo record -- COMMAND, or without that flag";
    }
    try {
      Container.Obstacle inside = container.obstacle();
      if (inside != null) {
        return inside.toString();
      }
      container.act(() -> {
        try {
          load(place.agent(agent), place.there());
        } finally {
          container.removeRequest();
        }
        return true;
      });
      return null;
    } catch (AttachNotSupportedException | IOException e) {
      return "cannot attach, not a running Java program of this user: " + e.getMessage();
    } catch (AgentLoadException | AgentInitializationException e) {
      return "cannot load the agent: " + e.getMessage();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private void load(Path agent, Path session) throws Exception {
    VirtualMachine machine = VirtualMachine.attach(Long.toString(pid));
    try {
      machine.loadAgent(agent.toString(), session.toString());
    } finally {
      machine.detach();
    }
  }

  private static int refuse(RecordingRun recording, int exit, String why)
      throws IOException, InterruptedException {
    recording.finish();
    recording.discard();
    StandardError.say(why);
    return exit;
  }
}
