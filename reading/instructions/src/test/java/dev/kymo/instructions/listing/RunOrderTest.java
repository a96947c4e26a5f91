package dev.kymo.instructions.listing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.instructions.listing.ListedInstruction.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RunOrderTest {
  private final List<ListedRun> runs = new ArrayList<>();

  /** Instructions of a block of 100. */
  private ListedRun run(long clock, int thread, int count) {
    ListedCode[] codes = new ListedCode[100];
    for (int i = 0; i < codes.length; i++) {
      codes[i] = new ListedCode(i, "", "", "", "", "i" + i);
    }
    ListedRun run = new ListedRun(clock, 1, thread, Kind.INSTRUCTION, codes, 0, count);
    runs.add(run);
    return run;
  }

  private void event(long clock, int thread, String text) {
    runs.add(ListedRun.of(ListedInstruction.event(clock, 1, thread, text, Kind.DATA)));
  }

  private List<String> lines() {
    List<String> lines = new ArrayList<>();
    RunOrder.each(
        runs,
        run ->
            run.forEach(line ->
                lines.add(line.clock() + "/" + line.thread() + " " + line.text() + line.memory())));
    return lines;
  }

  @Test
  void runsThatFollowEachOtherStayWhole() {
    ListedRun later = run(12, 2, 3);
    ListedRun first = run(10, 1, 2);
    List<ListedRun> found = new ArrayList<>();
    RunOrder.each(runs, found::add);
    assertThat(found).containsExactly(first, later);
  }

  @Test
  void linesAtTheSameTimeAreInTheOrderInWhichTheyWereFound() {
    run(11, 2, 2);
    run(10, 1, 3);
    event(12, 3, "data");
    event(12, 1, "more");
    assertThat(lines())
        .containsExactly(
            "10/1 i0", "11/2 i0", "11/1 i1", "12/3 data", "12/1 more", "12/2 i1", "12/1 i2");
  }

  @Test
  void anEventBetweenTwoRunsTakesNeitherApart() {
    run(10, 1, 2);
    event(12, 1, "event");
    run(12, 1, 1);
    assertThat(lines()).containsExactly("10/1 i0", "11/1 i1", "12/1 event", "12/1 i0");
    List<ListedRun> found = new ArrayList<>();
    RunOrder.each(runs, found::add);
    assertThat(found).hasSize(3);
  }

  @Test
  void partsKeepWhatWasAdded() {
    run(10, 1, 2).add(Map.of(11L, " load"), Map.of());
    run(11, 2, 1);
    assertThat(lines()).containsExactly("10/1 i0", "11/1 i1 load", "11/2 i0");
  }

  @Test
  void instructionsThatWereNotExecutedAreTakenBack() {
    ListedRun run = run(10, 1, 5);
    run.cut(12);
    assertThat(run.size()).isEqualTo(2);
    run.cut(20);
    assertThat(run.size()).isEqualTo(2);
    run.cut(5);
    assertThat(run.size()).isZero();
  }
}
