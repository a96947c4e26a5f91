package dev.kymo.analysis.locks;

import static dev.kymo.analysis.locks.LockRecording.cycles;
import static dev.kymo.analysis.locks.LockRecording.place;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Deadlocks that were possible, and orders of locks that only look like it. */
class DeadlockTest {
  private static final long A = 0xa;
  private static final long B = 0xb;
  private static final long C = 0xc;
  private static final long GATE = 0xf;

  @TempDir Path folder;

  @Test
  void twoThreadsInOppositeOrder() throws IOException {
    LockRecording r = new LockRecording(2);
    r.nested(1, 10, A, B).nested(1, 20, A, B);
    r.ring(2).enter(30, 2);
    r.lock(2, 31, B);
    r.ring(2).enter(32, 3);
    r.lock(2, 33, A).unlock(2, 34, A).unlock(2, 35, B).nested(2, 40, B, A);
    LockReport report = r.report(folder);
    assertThat(cycles(report)).containsExactly("t1 a b 10 11, t2 b a 31 33");
    assertThat(report.moreCycles()).isFalse();
    LockCycle.Step step = report.cycles().getFirst().steps().get(1);
    assertThat(place(step.heldAt())).isEqualTo("work@100b");
    assertThat(place(step.wantedAt())).isEqualTo("work>inner@100a");
  }

  @Test
  void oneThreadAloneWaitsForNobody() throws IOException {
    LockRecording r = new LockRecording(2);
    r.nested(1, 10, A, B).nested(1, 20, B, A).nested(2, 30, C, A);
    assertThat(cycles(r.report(folder))).isEmpty();
    LockRecording other = new LockRecording(2);
    other.nested(1, 10, A, B).nested(1, 20, B, A).nested(2, 30, A, B);
    assertThat(cycles(other.report(folder))).containsExactly("t2 a b 30 31, t1 b a 20 21");
  }

  @Test
  void aCommonLockAroundKeepsThemApart() throws IOException {
    LockRecording r = new LockRecording(3);
    r.lock(1, 1, GATE).nested(1, 10, A, B).unlock(1, 20, GATE);
    r.lock(2, 31, GATE).nested(2, 40, B, A).unlock(2, 50, GATE);
    assertThat(cycles(r.report(folder))).isEmpty();
    r.nested(3, 60, B, A); // without the gate
    assertThat(cycles(r.report(folder))).containsExactly("t1 a b 10 11, t3 b a 60 61");
  }

  @Test
  void readersOfTheGateAreNotKeptApart() throws IOException {
    LockRecording r = new LockRecording(2);
    r.get(1, 1, "rwlock_rdlock", GATE).nested(1, 10, A, B).give(1, 20, "rwlock_unlock", GATE);
    r.get(2, 31, "rwlock_rdlock", GATE).nested(2, 40, B, A).give(2, 50, "rwlock_unlock", GATE);
    assertThat(cycles(r.report(folder))).containsExactly("t1 a b 10 11, t2 b a 40 41");
  }

  @Test
  void readersDoNotWaitForReaders() throws IOException {
    LockRecording r = new LockRecording(3);
    r.get(1, 10, "rwlock_rdlock", A).lock(1, 11, B).unlock(1, 12, B);
    r.give(1, 13, "rwlock_unlock", A);
    r.lock(2, 20, B).get(2, 21, "rwlock_rdlock", A).give(2, 22, "rwlock_unlock", A);
    r.unlock(2, 23, B);
    assertThat(cycles(r.report(folder))).isEmpty();
    r.lock(3, 30, B).get(3, 31, "rwlock_wrlock", A).give(3, 32, "rwlock_unlock", A);
    r.unlock(3, 33, B);
    LockReport report = r.report(folder);
    assertThat(cycles(report)).containsExactly("t1 a b 10 11, t3 b a 30 31");
    assertThat(report.cycles().getFirst().steps().getFirst().heldShared()).isTrue();
  }

  @Test
  void whoOnlyTriesDoesNotWait() throws IOException {
    LockRecording r = new LockRecording(2);
    r.nested(1, 10, A, B);
    r.lock(2, 20, B).get(2, 21, "mutex_trylock", A).unlock(2, 22, A).unlock(2, 23, B);
    assertThat(cycles(r.report(folder))).isEmpty();
    r.get(2, 30, "mutex_trylock", B).lock(2, 31, A); // what it has it may have tried for
    assertThat(cycles(r.report(folder))).containsExactly("t1 a b 10 11, t2 b a 30 31");
  }

  @Test
  void aTimeThatHasRunOutIsAWaitAsWell() throws IOException {
    LockRecording r = new LockRecording(2);
    r.nested(1, 10, A, B).lock(2, 20, B).get(2, 40, "mutex_timedlock", A, 110, 15);
    assertThat(cycles(r.report(folder))).containsExactly("t1 a b 10 11, t2 b a 20 25");
  }

  @Test
  void largerCyclesComeOnceAndBehindSmallerOnes() throws IOException {
    LockRecording r = new LockRecording(3);
    r.nested(1, 10, A, B).nested(2, 20, B, C).nested(3, 30, C, A).nested(2, 40, 0xe, 0xd);
    r.nested(3, 50, 0xd, 0xe).nested(1, 60, C, A).nested(3, 70, A, B);
    assertThat(cycles(r.report(folder)))
        .containsExactly("t2 e d 40 41, t3 d e 50 51", "t1 a b 10 11, t2 b c 20 21, t3 c a 30 31");
  }

  @Test
  void nestedDeeperTheSmallerCycleIsTold() throws IOException {
    LockRecording r = new LockRecording(2);
    r.lock(1, 10, A).lock(1, 11, B).lock(1, 12, C).unlock(1, 13, C).unlock(1, 14, B);
    r.unlock(1, 15, A).nested(2, 20, C, A);
    assertThat(cycles(r.report(folder))).containsExactly("t1 a c 10 12, t2 c a 20 21");
  }

  @Test
  void aLongListThatIsWalkedHandOverHand() throws IOException {
    int length = 50_000;
    LockRecording r = new LockRecording(2);
    r.lock(1, 99, 1);
    for (int i = 1; i <= length; i++) {
      r.lock(1, 100 + i, 1 + i).unlock(1, 100 + i, i);
    }
    r.unlock(1, 200_000, 1L + length);
    r.nested(2, 200_040, A << 20, 1L + length).nested(1, 200_050, 1L + length, A << 20);
    LockReport report = r.report(folder);
    assertThat(cycles(report))
        .containsExactly("t1 c351 a00000 200050 200051, t2 a00000 c351 200040 200041");
    assertThat(report.moreCycles()).isFalse();
  }

  @Test
  void aMutexThatIsTakenAgainAfterACondition() throws IOException {
    LockRecording r = new LockRecording(2);
    r.lock(1, 10, A).lock(1, 11, B).sleep(1, 12, 0xd, A).woken(1, 20, 0xd, 0, 8, A);
    r.unlock(1, 21, B).unlock(1, 22, A);
    r.nested(2, 30, C, B);
    assertThat(cycles(r.report(folder))).isEmpty();
    r.nested(2, 40, A, B);
    assertThat(cycles(r.report(folder))).hasSize(1);
  }

  @Test
  void oneThatHasHappened() throws IOException {
    LockRecording r = new LockRecording(2);
    r.builder.states(1, 11, 1, "t1").states(1, 12, 2, "t2");
    r.builder.method(1, 7, "mutex", "second").method(1, 8, "mutex", "0xa");
    r.name(1, 5, B, "second").lock(1, 10, A).lock(2, 20, B);
    r.ring(11).enter(30, 7);
    r.ring(12).enter(40, 8);
    r.give(1, 1000, "exit", 0);
    LockReport report = r.report(folder);
    assertThat(cycles(report)).containsExactly("t1 a second 10 30 open, t2 second a 20 40 open");
    assertThat(LockRecording.waits(report.longestForLocks()))
        .containsExactly(
            "t1 mutex second at 30: 970 in vain open, @0, t2 since 20 in @100b by ",
            "t2 mutex 0xa at 40: 960 in vain open, @0, t1 since 10 in @100a by ");
    assertThat(report.rows()).extracting(LockRow::open).containsExactly(1L, 1L);
  }

  @Test
  void onlyThoseOfTheObjectsAskedFor() throws IOException {
    LockRecording r = new LockRecording(2);
    r.nested(1, 10, A, B).nested(2, 20, B, A);
    assertThat(cycles(r.report(folder, 0, 1000, t -> true, n -> n.endsWith("b")))).hasSize(1);
    assertThat(cycles(r.report(folder, 0, 1000, t -> true, n -> n.endsWith("c")))).isEmpty();
    assertThat(cycles(r.report(folder, 15, 1000, t -> true, n -> true))).isEmpty();
  }
}
