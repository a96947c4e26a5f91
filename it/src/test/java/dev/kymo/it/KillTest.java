package dev.kymo.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.format.Clock;
import dev.kymo.format.PacketLayout;
import dev.kymo.format.RingLayout;
import dev.kymo.format.ThreadRecord;
import dev.kymo.recorder.Session;
import dev.kymo.recorder.drain.ClockCalibration;
import dev.kymo.recorder.drain.Drainer;
import dev.kymo.recorder.drain.RecordingDirectory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills recorded programs with SIGKILL at random moments. The program counts its calls in shared
 * memory of its own, each after the call has returned: what it counted must be in the recording.
 */
class KillTest {
  private static final int KILLS = 200;
  private static final int COUNTER_STRIDE = 64;

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
        new Session(
            sharedMemory,
            recording,
            UUID.randomUUID(),
            Clock.MONOTONIC,
            1 << 20,
            RingLayout.BLOCK,
            List.of(),
            List.of(),
            0,
            true,
            false);
    session.store();
    try (RecordingDirectory directory = RecordingDirectory.create(recording, sharedMemory);
        Drainer drainer =
            new Drainer(
                session,
                directory,
                new ClockCalibration(session.clock()),
                message -> {
                  throw new AssertionError(message);
                })) {
      drainer.begin("test", "Counting");
      Process process = start(jdk, sharedMemory, counters);
      while (count(counters, 0) == 0 || count(counters, 1) == 0) {
        drainer.round();
        drainer.pause();
        assertThat(process.isAlive()).isTrue();
      }
      long kill = System.nanoTime() + TimeUnit.MICROSECONDS.toNanos(delayMicros);
      while (System.nanoTime() < kill) {
        drainer.round();
      }
      process.destroyForcibly();
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
      drainer.finish();
    } finally {
      Drainer.remove(sharedMemory);
    }
    long[] counted =
        IntStream.range(0, 2).mapToLong(slot -> count(counters, slot)).sorted().toArray();
    long[] recorded = {
      leaves(recording.resolve("p1-ring-1")), leaves(recording.resolve("p1-ring-2"))
    };
    java.util.Arrays.sort(recorded);
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

  private static long count(Path counters, int slot) {
    try (FileChannel channel = FileChannel.open(counters, StandardOpenOption.READ)) {
      ByteBuffer buffer = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
      return channel.read(buffer, (long) slot * COUNTER_STRIDE) == 8 ? buffer.getLong(0) : 0;
    } catch (IOException e) {
      return 0; // not there yet
    }
  }

  /** Counts the leaves of the counted method, which is the one that most often returns. */
  private static long leaves(Path stream) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(stream)).order(ByteOrder.LITTLE_ENDIAN);
    Map<Integer, Long> leaves = new HashMap<>();
    int packet = 0;
    while (packet < bytes.limit()) {
      int size = (int) (bytes.getLong(packet + PacketLayout.PACKET_SIZE_OFFSET) / 8);
      int at = packet + PacketLayout.HEADER_SIZE;
      while (at < packet + size) {
        long word = bytes.getLong(at);
        boolean extended = ThreadRecord.id(word) == ThreadRecord.EXTENDED;
        int id = extended ? ThreadRecord.extendedId(word) : ThreadRecord.id(word);
        if (id == ThreadRecord.LEAVE) {
          leaves.merge(
              ThreadRecord.payload(extended ? bytes.getLong(at + 8) : word), 1L, Long::sum);
        }
        at += extended ? ThreadRecord.EXTENDED_SIZE : ThreadRecord.COMPACT_SIZE;
      }
      packet += size;
    }
    return leaves.values().stream().mapToLong(Long::longValue).max().orElse(0);
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
