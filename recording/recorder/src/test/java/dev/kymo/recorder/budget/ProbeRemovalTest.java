package dev.kymo.recorder.budget;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** When classes are woven anew; ticks are milliseconds. */
class ProbeRemovalTest {
  private static final double TICKS = 1000;

  private static final int LOOP = 1;
  private static final int BESIDE_LOOP = 2;

  private final List<Set<Integer>> changes = new ArrayList<>();
  private final ProbeRemoval removal = new ProbeRemoval(Runnable::run, 0);
  private final LongCalls longCalls = new LongCalls();
  private Set<Integer> running = Set.of();
  private boolean looked = true;
  private boolean ran = true;
  private long now;

  ProbeRemovalTest() {
    removal.reweaver(
        new Reweaver() {
          @Override
          public void reweave(Set<Integer> without, Set<Integer> changed) {
            changes.add(changed);
          }

          @Override
          public Set<Integer> wovenWith(Set<Integer> methods) {
            return methods.contains(LOOP) ? Set.of(LOOP, BESIDE_LOOP) : Set.of();
          }
        });
  }

  @Test
  void probesGoWhenTheyHaveCostAsMuchAsCompilingAgain() {
    pass(100);
    removal.strip(7, 0.01);
    pass(190);
    assertThat(changes).isEmpty();
    assertThat(removal.isToLose(7)).isTrue();
    pass(20); // 2 seconds, one hundredth at a time
    assertThat(changes).containsExactly(Set.of(7));
    assertThat(removal.isStripped(7)).isTrue();
  }

  @Test
  void whatCostsMuchGoesSoon() {
    removal.strip(7, 0.5);
    pass(1.5);
    assertThat(changes).containsExactly(Set.of(7));
  }

  /** Calls are looked at from when the first method is counted, which may be late. */
  @Test
  void timeInWhichNothingWasToGoDoesNotCount() {
    looked = false;
    pass(60);
    looked = true;
    removal.strip(7, 0.1);
    pass(10);
    assertThat(changes).isEmpty();
    pass(11); // 2 seconds, a tenth at a time
    assertThat(changes).containsExactly(Set.of(7));
  }

  @Test
  void nothingGoesBeforeItIsKnownWhichCallsLast() {
    looked = false;
    removal.strip(7, 0.5);
    pass(100);
    assertThat(changes).isEmpty();
    looked = true;
    pass(1.6);
    assertThat(changes).containsExactly(Set.of(7));
  }

  @Test
  void aClassWaitsWhileALoopOfItRuns() {
    running = Set.of(LOOP);
    pass(2);
    removal.strip(7, 0.5);
    removal.strip(BESIDE_LOOP, 0.5);
    pass(100);
    assertThat(changes).containsExactly(Set.of(7));
    assertThat(removal.isToLose(BESIDE_LOOP)).isTrue();
    assertThat(removal.isStripped(BESIDE_LOOP)).isFalse();
    running = Set.of();
    pass(10);
    assertThat(changes).containsExactly(Set.of(7), Set.of(BESIDE_LOOP));
  }

  /** On a busy machine a loop may have no processor at most of the looks. */
  @Test
  void aLoopThatHasNoProcessorIsStillALoop() {
    removal.strip(BESIDE_LOOP, 0.5);
    running = Set.of(LOOP);
    for (int i = 0; i < 50; i++) {
      ran = i % 10 == 9;
      pass(0.1);
    }
    ran = false;
    pass(100);
    assertThat(changes).isEmpty();
  }

  @Test
  void methodsGetProbesAgainAFewAtATimeAndRarely() {
    for (int method = 0; method < 1000; method++) {
      removal.strip(method, 1);
    }
    pass(2);
    changes.clear();
    for (int second = 0; second < 3600; second++) {
      for (int method = 0; method < 1000; method++) {
        removal.restore(method);
      }
      pass(1);
    }
    assertThat(changes).hasSizeBetween(4, 6);
    assertThat(changes).allMatch(changed -> changed.size() <= 8);
  }

  private void pass(double seconds) {
    for (int i = 0; i < seconds * 10; i++) {
      now += 100;
      if (looked) {
        longCalls.begin();
        if (ran) {
          longCalls.ran();
          running.forEach(longCalls::add);
        }
        longCalls.end();
      }
      removal.round(now, TICKS, longCalls);
    }
  }
}
