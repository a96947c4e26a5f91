package dev.kymo.e2e.code;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.e2e.jvm.MessagesTest;
import dev.kymo.e2e.kit.Kymo;
import dev.kymo.e2e.kit.Recorded;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Thread operations and messages of programs for ARM64. Robust mutexes are left out: QEMU 7.2 has
 * none, and a program waits for ever.
 */
@Tag("arm64")
class Arm64ThreadsTest {
  @TempDir Path folder;

  @BeforeEach
  void assumeInstalled() {
    Arm64Programs.assumeInstalled();
  }

  private Path recording() {
    return folder.resolve("r.kymo");
  }

  /** Records what {@code threads.c} does; its output and exit status must be its own. */
  private Map<String, Long> records(String what, long number) throws Exception {
    Path source = Path.of("src/native/threads.c");
    String linked = Arm64Programs.library("libkymo.so").toString();
    Path program = Arm64Programs.compile(source, folder.resolve("threads"), linked);
    // It has the same name for the loader, so there is no other.
    String library = Arm64Programs.library("libkymo-threads.so").toString();
    Kymo.Result result =
        Arm64Programs.record(
            recording(), Arm64Programs.run(library, program, what, Long.toString(number)));
    assertThat(result).isEqualTo(new Kymo.Result(3, "done %s %d\n".formatted(what, number), ""));
    try (Recorded recorded = new Recorded(recording())) {
      return counts(recorded);
    }
  }

  private static Map<String, Long> counts(Recorded recorded) {
    assertThat(recorded.timeline.oddities()).isEmpty();
    assertThat(recorded.unbalanced).isEmpty();
    assertThat(recorded.tracks()).allSatisfy(track -> assertThat(track.lost()).isZero());
    Map<String, Long> counts = new TreeMap<>();
    recorded.ownEvents().forEach((name, events) -> counts.put(name, (long) events.size()));
    return counts;
  }

  @Test
  void eachOperationOnce() throws Exception {
    long n = 300;
    Map<String, Long> expected = new TreeMap<>();
    expected.put("pthread.mutex_lock", n + 1); // one before main
    expected.put("pthread.mutex_unlock", 4 * n + 1);
    expected.put("pthread.mutex_timedlock", 2 * n);
    expected.put("pthread.rwlock_unlock", 6 * n);
    expected.put("pthread.spin_unlock", 2 * n);
    expected.put("pthread.sem_post", 3 * n);
    String once =
        "mutex_trylock rwlock_rdlock rwlock_tryrdlock rwlock_timedrdlock rwlock_wrlock"
            + " rwlock_trywrlock rwlock_timedwrlock spin_lock spin_trylock sem_wait sem_trywait"
            + " sem_timedwait cond_signal cond_broadcast once barrier_wait";
    Arrays.stream(once.split(" ")).forEach(name -> expected.put("pthread." + name, n));
    assertThat(records("each", n)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({"many, 20, create=61 join=60 cancel=20", "shorts, 10, create=100 exit=100 join=100"})
  void threadsBeginAndEnd(String what, long number, String expected) throws Exception {
    Map<String, Long> counts = records(what, number);
    for (String word : expected.split(" ")) {
      String[] parts = word.split("=", -1);
      assertThat(counts).containsEntry("pthread." + parts[0], Long.parseLong(parts[1]));
    }
  }

  @Test
  void asManyStatesAsOperationsThatWaited() throws Exception {
    Map<String, Long> counts = records("together", 2000);
    assertThat(counts).containsEntry("pthread.mutex_lock", 16_001L);
    assertThat(counts).containsEntry("pthread.mutex_unlock", 16_001L);
    try (Recorded recorded = new Recorded(recording())) {
      long waited =
          recorded.ownEvents().getOrDefault("pthread.mutex_lock", List.of()).stream()
              .filter(event -> !event.endsWith(" waited=0"))
              .count();
      assertThat(recorded.calls("mutex.")).isEqualTo(waited);
    }
  }

  @Test
  void statesOfWaits() throws Exception {
    records("contended", 1);
    try (Recorded recorded = new Recorded(recording())) {
      assertThat(recorded.calls)
          .containsEntry("start.", 8L)
          .containsEntry("barrier.", 1L)
          .containsKeys("mutex.the mutex", "rwlock.", "spinlock.", "condition.", "semaphore.")
          .containsKeys("join.", "once.");
    }
  }

  @Test
  void cancelledWaitsAreOver() throws Exception {
    records("cancels", 3);
    try (Recorded recorded = new Recorded(recording())) {
      Map<String, List<String>> events = recorded.ownEvents();
      for (String name : List.of("cond_woken", "sem_wait", "join")) {
        assertThat(events.getOrDefault("pthread." + name, List.of()))
            .filteredOn(event -> event.contains(" result=125 "))
            .as(name)
            .hasSize(3);
      }
    }
  }

  /** Not Unix sockets: QEMU 7.2 has no way to ask the kernel for the other end. */
  @ParameterizedTest
  @ValueSource(strings = {"libkymo-messages.so", "libkymo-threads-messages.so"})
  void messages(String name) throws Exception {
    Path program =
        Arm64Programs.compile(Path.of("src/native/talking.c"), folder.resolve("talking"));
    String library = Arm64Programs.library(name).toString();
    Kymo.Result result =
        Arm64Programs.record(recording(), Arm64Programs.run(library, program, "tcp", "100"));
    assertThat(result).isEqualTo(new Kymo.Result(0, "", ""));
    try (Recorded recorded = new Recorded(recording())) {
      assertThat(counts(recorded))
          .containsEntry("socket.write", 200L)
          .containsEntry("socket.read", 400L)
          .containsEntry("socket.connection", 2L);
      assertThat(MessagesTest.counts(recorded)).isEqualTo(Map.of("1 to 2", 100, "2 to 1", 100));
    }
  }
}
