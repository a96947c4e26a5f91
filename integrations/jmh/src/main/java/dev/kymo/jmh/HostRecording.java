package dev.kymo.jmh;

import dev.kymo.api.Unrecorded;
import dev.kymo.embedded.EmbeddedAgent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.infra.BenchmarkParams;

/**
 * The recording of JMH's own virtual machine, where benchmarks run without forks. All of them are
 * in one recording, which is complete when the virtual machine ends.
 */
@Unrecorded
final class HostRecording {
  /** Until then the virtual machine has reported waits. */
  private static final long LATE_MILLIS = 3000;

  private static final AtomicInteger RUNS = new AtomicInteger();

  private final ProfilerOptions options;
  private String run = Places.RUN;
  private @Nullable Path recording;

  HostRecording(ProfilerOptions options) {
    this.options = options;
  }

  /** Begins the recording, if it has not begun; called before each iteration. */
  void begin(BenchmarkParams params) {
    if (recording != null) {
      return;
    }
    run = Integer.toString(RUNS.incrementAndGet());
    recording = EmbeddedAgent.recording();
    if (recording == null) {
      try {
        Path folder = Files.createDirectories(options.folder()).toAbsolutePath();
        Path free = Places.free(folder, "host");
        EmbeddedAgent.load(Preflight.agent(), options.agent(free));
      } catch (IOException e) {
        throw new IllegalStateException(
            "a benchmark without forks cannot be recorded, -f 1 makes one: " + e.getMessage(), e);
      }
      recording = EmbeddedAgent.recording();
    }
    if (recording == null) {
      throw new IllegalStateException(
          "a benchmark without forks cannot be recorded, -f 1 makes one; the agent has said why");
    }
  }

  /** Text of the benchmark's marks. */
  String run() {
    return run;
  }

  /** The recording; null in a fork. */
  @Nullable Path recording() {
    return recording;
  }

  /** Waits until the recording has what happened so far. */
  void awaitReports() {
    Marks.pause(LATE_MILLIS);
  }
}
