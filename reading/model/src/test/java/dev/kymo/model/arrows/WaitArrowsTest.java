package dev.kymo.model.arrows;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Waits come from thread after thread, and the longest are never given up. */
class WaitArrowsTest {
  private record Wait(long end, long length, int thread, int other, int method) {}

  private static final class All implements WaitArrows.Taker {
    final List<Wait> waits = new ArrayList<>();

    @Override
    public boolean has(int thread, int other) {
      return true;
    }

    @Override
    public void take(long end, long length, int thread, int other, int method) {
      waits.add(new Wait(end, length, thread, other, method));
    }
  }

  private static List<Wait> add(SplittableRandom random, WaitArrows waits, int count) {
    List<Wait> added = new ArrayList<>();
    long now = 0;
    for (int i = 0; i < count; i++) {
      now += random.nextInt(100);
      long length = random.nextInt(1 << random.nextInt(20));
      long end = Math.max(length, now - random.nextInt(1000)); // late
      Wait wait = new Wait(end, length, random.nextInt(5), random.nextInt(5), random.nextInt(9));
      waits.add(end - length, end, wait.thread(), wait.other(), wait.method());
      added.add(wait);
    }
    return added;
  }

  @ParameterizedTest
  @ValueSource(ints = {100, 1000, 100_000})
  void theLongestAreThere(int max) {
    SplittableRandom random = new SplittableRandom(max);
    WaitArrows waits = new WaitArrows(max);
    List<Wait> added = new ArrayList<>();
    for (int part = 0; part < 5; part++) {
      added.addAll(add(random, waits, 1000)); // asked in between: part of it is in order
      All found = new All();
      boolean more = waits.read(0, Long.MAX_VALUE, max / 4, found);
      assertThat(more).isEqualTo(added.size() > max / 4);
      assertThat(found.waits)
          .isSortedAccordingTo(Comparator.comparingLong(Wait::end))
          .isSubsetOf(added);
      assertThat(found.waits.stream().map(Wait::length).sorted().toList())
          .isEqualTo(
              added.stream()
                  .map(Wait::length)
                  .sorted(Comparator.reverseOrder())
                  .limit(max / 4)
                  .sorted()
                  .toList());
    }
    assertThat(waits.size()).isLessThanOrEqualTo(max);
  }

  @Test
  void whereNoneWasGivenUpAllAreThere() {
    WaitArrows waits = new WaitArrows(10);
    for (int i = 0; i < 20; i++) {
      waits.add(i, i + 1 + i, 0, 1, 2); // the later the longer
    }
    All early = new All();
    All late = new All();
    assertThat(waits.read(0, 30, 100, early)).isTrue();
    assertThat(waits.read(37, 100, 100, late)).isFalse();
    assertThat(late.waits).extracting(Wait::end).containsExactly(37L, 39L);
  }
}
