package dev.kymo.analysis.locks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Threads that take and give back mutexes as chance has it: the report says what was made up. */
class RandomLocksTest {
  private static final int THREADS = 4;
  private static final int MUTEXES = 6;
  private static final int STEPS = 400;

  @TempDir Path folder;

  private final List<Taken> taken = new ArrayList<>();
  private final TreeMap<Long, Long> held = new TreeMap<>();

  /** A thread that had some took one more. */
  private record Taken(int thread, Set<Long> had, long mutex) {
    boolean opposes(Taken other, long one, long two) {
      Set<Long> both = new HashSet<>(had);
      both.retainAll(other.had);
      return thread != other.thread
          && had.contains(one)
          && mutex == two
          && other.had.contains(two)
          && other.mutex == one
          && both.isEmpty();
    }
  }

  private LockRecording make(Random random) {
    LockRecording recording = new LockRecording(THREADS);
    List<TreeMap<Long, Long>> since = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      since.add(new TreeMap<>());
    }
    long clock = 10;
    for (int i = 0; i < STEPS; i++) {
      clock += 1 + random.nextInt(20);
      int thread = random.nextInt(THREADS);
      TreeMap<Long, Long> own = since.get(thread);
      long mutex = 1L + random.nextInt(MUTEXES);
      if (own.containsKey(mutex)) {
        held.merge(mutex, clock - own.remove(mutex), Long::sum);
        recording.unlock(thread + 1, clock, mutex);
      } else if (since.stream().noneMatch(other -> other.containsKey(mutex)) && own.size() < 3) {
        taken.add(new Taken(thread, Set.copyOf(own.keySet()), mutex));
        own.put(mutex, clock);
        recording.lock(thread + 1, clock, mutex);
      }
    }
    for (int i = 0; i < THREADS; i++) {
      for (var hold : since.get(i).entrySet()) {
        held.merge(hold.getKey(), clock + 100 - hold.getValue(), Long::sum);
      }
    }
    recording.give(1, clock + 100, "exit", 0);
    return recording;
  }

  /** Pairs of mutexes that two threads can wait for each other with. */
  private Set<String> pairs() {
    Set<String> pairs = new TreeSet<>();
    for (Taken one : taken) {
      for (Taken two : taken) {
        for (long mutex : one.had) {
          if (mutex < one.mutex && one.opposes(two, mutex, one.mutex)) {
            pairs.add(mutex + " " + one.mutex);
          }
        }
      }
    }
    return pairs;
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
  void theReportSaysWhatWasMadeUp(long seed, TestInfo test) throws IOException {
    LockReport report = make(new Random(seed)).report(folder);
    TreeMap<Long, Long> reported = new TreeMap<>();
    TreeMap<Long, Long> acquired = new TreeMap<>();
    for (LockRow row : report.rows()) {
      reported.put(row.address(), row.holds().total());
      acquired.put(row.address(), row.acquired());
    }
    TreeMap<Long, Long> expected = new TreeMap<>();
    taken.forEach(one -> expected.merge(one.mutex, 1L, Long::sum));
    assertThat(acquired).as(test.getDisplayName()).isEqualTo(expected);
    assertThat(reported).as(test.getDisplayName()).isEqualTo(held);
    Set<String> found = new TreeSet<>();
    for (LockCycle cycle : report.cycles()) {
      if (cycle.steps().size() == 2) {
        LockCycle.Step step = cycle.steps().getFirst();
        long one = Long.decode(step.held().replace("mutex ", ""));
        long two = Long.decode(step.wanted().replace("mutex ", ""));
        found.add(Math.min(one, two) + " " + Math.max(one, two));
      }
    }
    assertThat(found).as(test.getDisplayName()).isNotEmpty().isEqualTo(pairs());
  }
}
