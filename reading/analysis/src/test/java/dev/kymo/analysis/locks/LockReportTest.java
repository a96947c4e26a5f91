package dev.kymo.analysis.locks;

import static dev.kymo.analysis.locks.LockRecording.rows;
import static dev.kymo.analysis.locks.LockRecording.waits;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.analysis.names.ThreadFilter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How often locks were taken, how long threads waited for them and had them. */
class LockReportTest {
  private static final long A = 0xa;
  private static final long B = 0xb;
  private static final int BUSY = 16;
  private static final int TIMED_OUT = 110;
  private static final int OWNER_DIED = 130;

  @TempDir Path folder;

  @Test
  void aMutexOfTwoThreads() throws IOException {
    LockRecording r = new LockRecording(2);
    r.lock(1, 10, A).unlock(1, 30, A).lock(1, 50, A).unlock(1, 51, A);
    r.lock(2, 31, A, 15).unlock(2, 40, A);
    LockReport report = r.report(folder);
    assertThat(rows(report))
        .containsExactly(
            "mutex 0xa: 3 acquired, 1 contended, 0 failed, waited 15 max 15, held 30 max 20,"
                + " 2 threads");
    LockRow row = report.rows().getFirst();
    assertThat(row.holds().p50()).isEqualTo(9);
    assertThat(row.holds().p99()).isEqualTo(20);
    assertThat(row.longest().orElseThrow().thread().definition().name()).isEqualTo("t2");
    assertThat(row.longest().orElseThrow().begin()).isEqualTo(16);
    assertThat(report.recorded()).isTrue();
  }

  @Test
  void whoTriesInVainHasNothing() throws IOException {
    LockRecording r = new LockRecording(2);
    r.lock(1, 10, A).unlock(1, 100, A);
    r.get(2, 20, "mutex_trylock", A, BUSY, 0).get(2, 50, "mutex_timedlock", A, TIMED_OUT, 25);
    r.get(2, 60, "mutex_trylock", B, 0, 0).unlock(2, 61, B);
    r.get(2, 110, "mutex_lock", A, OWNER_DIED, 0).unlock(2, 113, A);
    assertThat(rows(r.report(folder)))
        .containsExactly(
            "mutex 0xa: 2 acquired, 0 contended, 2 failed, waited 25 max 25, held 93 max 90,"
                + " 2 threads",
            "mutex 0xb: 1 acquired, 0 contended, 0 failed, waited 0 max 0, held 1 max 1, 1"
                + " threads");
  }

  @Test
  void recursiveMutexesAndReadersAreHeldFromTheFirstToTheLast() throws IOException {
    LockRecording r = new LockRecording(3);
    r.lock(1, 10, A).lock(1, 20, A).unlock(1, 30, A).unlock(1, 40, A).lock(1, 50, A);
    r.unlock(1, 55, A);
    r.get(2, 10, "rwlock_rdlock", B).get(3, 15, "rwlock_rdlock", B);
    r.get(2, 20, "rwlock_rdlock", B).give(2, 30, "rwlock_unlock", B);
    r.give(2, 45, "rwlock_unlock", B).give(3, 50, "rwlock_unlock", B);
    r.get(3, 60, "rwlock_wrlock", B).give(3, 61, "rwlock_unlock", B);
    r.get(1, 70, "spin_lock", 0xc);
    assertThat(rows(r.report(folder)))
        .containsExactly(
            "rwlock 0xb: 4 acquired, 0 contended, 0 failed, waited 0 max 0, held 71 max 35,"
                + " 2 threads",
            "mutex 0xa: 3 acquired, 0 contended, 0 failed, waited 0 max 0, held 35 max 30,"
                + " 1 threads",
            "spinlock 0xc: 1 acquired, 0 contended, 0 failed, waited 0 max 0, held 0 max 0,"
                + " 1 threads");
  }

  @Test
  void whoWaitsForAConditionHasNotItsMutex() throws IOException {
    LockRecording r = new LockRecording(2);
    r.lock(1, 10, A).sleep(1, 15, 0xc, A).woken(1, 40, 0xc, 0, 25, A).unlock(1, 42, A);
    r.lock(2, 20, A).give(2, 30, "cond_signal", 0xc).unlock(2, 35, A);
    r.lock(1, 50, A).sleep(1, 51, 0xc, A).woken(1, 60, 0xc, TIMED_OUT, 9, A).unlock(1, 61, A);
    LockReport report = r.report(folder);
    assertThat(rows(report))
        .containsExactly(
            "condition 0xc: 1 acquired, 1 contended, 1 failed, waited 34 max 25, held 0 max 0,"
                + " 1 threads",
            "mutex 0xa: 5 acquired, 0 contended, 0 failed, waited 0 max 0, held 24 max 15,"
                + " 2 threads");
    assertThat(report.longestForLocks()).isEmpty();
    assertThat(waits(report.longestForOthers()))
        .containsExactly(
            "t1 condition 0xc at 15: 25, @3000 by t2",
            "t1 condition 0xc at 51: 9 in vain, @3000 by ");
  }

  @Test
  void whatIsHandedOverTakenAwayOrKeptBreaksNothing() throws IOException {
    LockRecording r = new LockRecording(3);
    // t1 takes it, t2 gives it back.
    r.lock(1, 10, A).unlock(2, 30, A);
    // t2 gives it back after t3 has told that it has it.
    r.lock(2, 40, A).lock(3, 50, A).unlock(2, 51, A).unlock(3, 60, A);
    // Something that nobody has, and something that is kept until the end.
    r.unlock(3, 70, B).lock(3, 80, B).lock(1, 100, 0xc).unlock(1, 101, 0xc);
    // Semaphores: only who takes and gives back has had one.
    r.get(1, 110, "sem_wait", 0xd).get(1, 112, "sem_wait", 0xd).give(1, 115, "sem_post", 0xd);
    r.give(2, 116, "sem_post", 0xd).get(2, 117, "sem_wait", 0xd, 0, 3);
    r.get(1, 120, "barrier_wait", 0xe, -1, 0).get(2, 120, "barrier_wait", 0xe, 0, 1);
    LockReport report = r.report(folder);
    assertThat(rows(report))
        .containsExactly(
            "semaphore 0xd: 3 acquired, 1 contended, 0 failed, waited 3 max 3, held 3 max 3,"
                + " 2 threads",
            "barrier 0xe: 2 acquired, 1 contended, 0 failed, waited 1 max 1, held 0 max 0,"
                + " 2 threads",
            "mutex 0xa: 3 acquired, 0 contended, 0 failed, waited 0 max 0, held 40 max 20,"
                + " 3 threads",
            "mutex 0xb: 1 acquired, 0 contended, 0 failed, waited 0 max 0, held 40 max 40,"
                + " 1 threads",
            "mutex 0xc: 1 acquired, 0 contended, 0 failed, waited 0 max 0, held 1 max 1, 1"
                + " threads");
    assertThat(report.rows()).extracting(LockRow::kept).containsExactly(0L, 0L, 0L, 1L, 0L);
  }

  @Test
  void theLastAtABarrierLetsTheOthersGoOnAndHasNotWaited() throws IOException {
    LockRecording r = new LockRecording(3);
    // t3 comes last: t1 is back before it, t2 after it.
    r.get(1, 50, "barrier_wait", 0xe, 0, 40).get(2, 54, "barrier_wait", 0xe, 0, 30);
    r.get(3, 52, "barrier_wait", 0xe, -1, 3);
    // Then t1 does, and t3 had begun to wait before t2 was back.
    r.get(1, 80, "barrier_wait", 0xe, -1, 1);
    r.get(2, 81, "barrier_wait", 0xe, 0, 20).get(3, 79, "barrier_wait", 0xe, 0, 26);
    // Nobody has come last here.
    r.get(1, 90, "barrier_wait", 0xf, 0, 5);
    LockReport report = r.report(folder);
    assertThat(rows(report))
        .containsExactly(
            "barrier 0xe: 6 acquired, 4 contended, 0 failed, waited 116 max 40, held 0 max 0,"
                + " 3 threads",
            "barrier 0xf: 1 acquired, 1 contended, 0 failed, waited 5 max 5, held 0 max 0,"
                + " 1 threads");
    assertThat(report.longestForOthers())
        .extracting(w ->
            "%s %d by %s"
                .formatted(
                    w.thread().definition().name(),
                    w.time(),
                    w.releaser().map(by -> by.name()).orElse("")))
        .containsExactly("t1 40 by t3", "t2 30 by t3", "t3 26 by t1");
  }

  @Test
  void afterALossNothingIsKnownOfWhatAThreadHas() throws IOException {
    LockRecording r = new LockRecording(2);
    r.lock(1, 10, A).lock(1, 20, B);
    r.ring(1).lose(5);
    r.lock(1, 1000, A).unlock(1, 1001, A).unlock(1, 1002, B);
    r.lock(2, 500, 0xc).unlock(2, 503, 0xc);
    assertThat(rows(r.report(folder)))
        .containsExactly(
            "mutex 0xc: 1 acquired, 0 contended, 0 failed, waited 0 max 0, held 3 max 3, 1 threads",
            "≥mutex 0xa: 2 acquired, 0 contended, 0 failed, waited 0 max 0, held 1 max 1, 1"
                + " threads",
            "≥mutex 0xb: 1 acquired, 0 contended, 0 failed, waited 0 max 0, held 0 max 0,"
                + " 1 threads");
  }

  @Test
  void aLongWaitHasBothSidesPlaces() throws IOException {
    LockRecording r = new LockRecording(3);
    r.ring(1).enter(5, 1);
    r.lock(1, 10, A);
    r.ring(1).enter(20, 2).leave(55, 2).enter(55, 3);
    r.unlock(1, 60, A);
    r.ring(2).enter(30, 2).enter(35, 3);
    r.lock(2, 61, A, 21);
    r.ring(2).leave(70, 3);
    r.unlock(2, 80, A);
    // Begins to wait just before the one is there that it waits for.
    r.lock(3, 100, A, 11);
    r.lock(1, 90, A).unlock(1, 99, A);
    assertThat(waits(r.report(folder).longestForLocks()))
        .containsExactly(
            "t2 mutex 0xa at 40: 21, work>inner@100a, t1 since 10 in main>work@100a by t1",
            "t3 mutex 0xa at 89: 11, @100a, t1 since 90 in main>inner@100a by t1");
  }

  @Test
  void namesCountForAllOfTheRecording() throws IOException {
    LockRecording r = new LockRecording(1);
    r.lock(1, 10, A).unlock(1, 11, A).name(1, 12, A, "que").name(1, 13, A, "queue");
    r.get(1, 14, "sem_wait", A).give(1, 15, "exit", A);
    assertThat(r.report(folder).rows())
        .extracting(LockRow::label)
        .containsExactly("mutex queue", "semaphore queue");
  }

  @Test
  void aPartIsWhatEndsInIt() throws IOException {
    LockRecording r = new LockRecording(2);
    r.name(1, 1, A, "first").lock(1, 10, A).unlock(1, 30, A).lock(1, 50, A).unlock(1, 53, A);
    r.lock(2, 31, A, 20).unlock(2, 41, A).lock(2, 60, B, 1).unlock(2, 61, B);
    assertThat(rows(r.report(folder, 30, 40, t -> true, n -> true)))
        .containsExactly(
            "mutex first: 1 acquired, 1 contended, 0 failed, waited 20 max 20, held 20 max 20,"
                + " 1 threads");
    assertThat(rows(r.report(folder, 0, 1000, new ThreadFilter(List.of("t1")), n -> true)))
        .containsExactly(
            "mutex first: 2 acquired, 0 contended, 0 failed, waited 0 max 0, held 23 max 20,"
                + " 1 threads");
    LockReport filtered = r.report(folder, 0, 1000, t -> true, name -> name.endsWith("0xb"));
    assertThat(rows(filtered))
        .containsExactly(
            "mutex 0xb: 1 acquired, 1 contended, 0 failed, waited 1 max 1, held 1 max 1, 1"
                + " threads");
    assertThat(filtered.longestForLocks()).hasSize(1);
  }

  @Test
  void ofJavaOnlyWaitsAreKnown() throws IOException {
    LockRecording r = new LockRecording(2);
    r.builder.states(1, 11, 1, "t1").states(1, 12, 2, "t2");
    r.builder.method(1, 7, "monitor", "a.B").method(1, 8, "sleep", "").method(1, 9, "lock", "a.L");
    r.ring(1).enter(15, 1).enter(16, 2).leave(99, 2).leave(99, 1);
    r.ring(11).enter(20, 7).detail(40, 0x1f, 12).leave(40, 7).enter(50, 7).detail(55, 0x1f, 0);
    r.ring(11).leave(55, 7).enter(60, 8).leave(90, 8);
    r.ring(12).enter(30, 9).leave(40, 9);
    LockReport report = r.report(folder);
    assertThat(rows(report))
        .containsExactly(
            "monitor a.B@1f: -1 acquired, 2 contended, 0 failed, waited 25 max 20, held 0 max 0,"
                + " 1 threads",
            "lock a.L: -1 acquired, 1 contended, 0 failed, waited 10 max 10, held 0 max 0,"
                + " 1 threads");
    assertThat(waits(report.longestForLocks()))
        .containsExactly(
            "t1 monitor a.B@1f at 20: 20, main>work@0 by t2",
            "t2 lock a.L at 30: 10, @0 by ",
            "t1 monitor a.B@1f at 50: 5, main>work@0 by ");
  }

  @Test
  void deadlockOfJavaThatHasHappened() throws IOException {
    LockRecording r = new LockRecording(3);
    r.builder.states(1, 11, 1, "t1").states(1, 12, 2, "t2").states(1, 13, 3, "t3");
    r.builder.method(1, 7, "monitor", "a.B").method(1, 9, "lock", "a.L");
    r.ring(1).enter(15, 1).enter(16, 2).leave(99, 2).leave(99, 1);
    r.ring(11).enter(20, 7).detail(20, 0x1f, 12);
    r.ring(12).enter(30, 9).switchTo(32, 13).enter(32, 7).detail(32, 0x1f, 12);
    r.ring(12).switchTo(90, 12).detail(90, 0x2f, 11);
    LockReport report = r.report(folder);
    assertThat(waits(report.longestForLocks()))
        .containsExactly(
            "t1 monitor a.B@1f at 20: 79 in vain open, main>work@0 by t2",
            "t2 lock a.L@2f at 30: 69 in vain open, @0 by t1",
            "t3 monitor a.B@1f at 32: 67 in vain open, @0 by t2");
    assertThat(report.cycles()).hasSize(1);
    LockCycle cycle = report.cycles().getFirst();
    assertThat(cycle.hasHappened()).isTrue();
    assertThat(cycle.steps())
        .extracting(s ->
            "%s had %s at %d, wants %s at %d"
                .formatted(
                    s.thread().definition().name(),
                    s.held(),
                    s.heldAt().time(),
                    s.wanted(),
                    s.wantedAt().time()))
        .containsExactly(
            "t2 had monitor a.B@1f at 20, wants lock a.L@2f at 30",
            "t1 had lock a.L@2f at 30, wants monitor a.B@1f at 20");
  }

  @Test
  void otherEventsAreNone() throws IOException {
    LockRecording r = new LockRecording(1);
    r.ring(1).own(10, 100, 5).own(11, 100, new byte[3]);
    assertThat(r.report(folder).rows()).isEmpty();
  }
}
