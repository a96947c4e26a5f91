package dev.kymo.e2e.recorder;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.drain.ClockCalibration;
import dev.kymo.drain.Drainer;
import dev.kymo.drain.RecordingDirectory;
import dev.kymo.drain.SharedMemory;
import dev.kymo.e2e.kit.Counted;
import dev.kymo.e2e.kit.Jdk;
import dev.kymo.e2e.kit.Kymo;
import dev.kymo.e2e.kit.Programs;
import dev.kymo.format.Clock;
import dev.kymo.format.Redaction;
import dev.kymo.format.RingLayout;
import dev.kymo.recorder.Session;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills recorded programs with SIGKILL at random moments. The program counts its calls in shared
 * memory of its own, each after the call has returned: all that it counted must be in the
 * recording.
 */
@Tag("slow")
@Tag("survival")
class KillTest {
  private static final int KILLS = 200;

  @TempDir Path folder;

  @Test
  void everyCommittedEventSurvives() throws Exception {
    long seed = Long.getLong("kymo.seed", System.nanoTime());
    System.out.println("KillTest seed=" + seed);
    SplittableRandom random = new SplittableRandom(seed);
    List<Jdk> jdks = Jdk.all();
    List<Future<?>> results = new ArrayList<>();
    try (ExecutorService executor = Executors.newFixedThreadPool(2)) {
      for (int i = 0; i < KILLS; i++) {
        int number = i;
        int delayMicros = random.nextInt(30_000);
        Jdk jdk = jdks.get(i % jdks.size());
        results.add(
            executor.submit(() -> {
              killOnce(number, jdk, delayMicros);
              return null;
            }));
      }
    }
    for (Future<?> result : results) {
      result.get();
    }
  }

  private void killOnce(int number, Jdk jdk, int delayMicros) throws Exception {
    Path counters = folder.resolve("counters-" + number);
    Path recording = folder.resolve(number + ".kymo");
    Path sharedMemory = Files.createTempDirectory(Path.of("/dev/shm"), "kymo-killtest-");
    Session session =
        Session.create(
                sharedMemory,
                recording,
                Clock.MONOTONIC,
                new Session.Buffers(1 << 20, RingLayout.BLOCK))
            .with(Session.Manner.STRICT);
    session.store();
    try (RecordingDirectory directory = RecordingDirectory.create(recording, sharedMemory);
        Drainer drainer =
            new Drainer(
                session,
                directory,
                new ClockCalibration(session.clock()),
                Redaction.USUAL,
                message -> {
                  throw new AssertionError(message);
                })) {
      drainer.begin("test", "Counting");
      Process process = start(jdk, sharedMemory, counters);
      while (Counted.byProgram(counters)[0] == 0) {
        drainer.round();
        drainer.pause();
        assertThat(process.isAlive()).isTrue();
      }
      long kill = System.nanoTime() + TimeUnit.MICROSECONDS.toNanos(delayMicros);
      while (System.nanoTime() < kill) {
        drainer.round();
      }
      process.destroyForcibly();
      assertThat(process.waitFor(600, TimeUnit.SECONDS)).isTrue();
      drainer.finish();
    } finally {
      SharedMemory.remove(sharedMemory);
    }
    long[] counted = Counted.byProgram(counters);
    long[] recorded = Counted.inRecording(recording);
    for (int i = 0; i < 2; i++) {
      assertThat(recorded[i] - counted[i]).as("kill %d, %s", number, jdk).isBetween(0L, 1L);
    }
    clean(recording);
  }

  private Process start(Jdk jdk, Path sharedMemory, Path counters) throws IOException {
    return new ProcessBuilder(
            jdk.java().toString(),
            "-Xmx64m",
            "-XX:TieredStopAtLevel=1",
            "-javaagent:" + Kymo.AGENT + "=" + sharedMemory,
            "-cp",
            Programs.CLASSES.toString(),
            "Counting",
            counters.toString())
        .inheritIO()
        .start();
  }

  private static void clean(Path recording) throws IOException {
    try (var files = Files.list(recording)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        Files.delete(file);
      }
    }
    Files.delete(recording);
  }
}
