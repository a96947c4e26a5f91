package dev.kymo.analysis.difference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kymo.model.calls.CallPass;
import dev.kymo.model.calls.ProgressListener;
import dev.kymo.reader.Recording;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Of two runs of a program, exactly that is found which was changed. */
class DifferenceTest {
  @TempDir Path directory;

  private final List<Recording> open = new ArrayList<>();
  private int runs;

  @AfterEach
  void close() throws IOException {
    for (Recording recording : open) {
      recording.close();
    }
  }

  private CallPass record(Consumer<Program> change) throws IOException {
    runs++;
    Program program = new Program(runs);
    change.accept(program);
    Recording recording = Recording.open(program.record(directory.resolve("run-" + runs)));
    open.add(recording);
    return CallPass.open(recording);
  }

  private Difference compare(Consumer<Program> change) throws IOException {
    List<CallPass> base = List.of(record(p -> {}));
    return Difference.of(base, List.of(record(change)), ProgressListener.NONE);
  }

  /** What is certain: {@code store CALLS write 5 > 8}. */
  private static List<String> certain(Difference difference) {
    List<String> found = new ArrayList<>();
    for (Finding finding : Choice.certain(difference)) {
      for (Part part : finding.parts()) {
        String name = finding.key() < 0 ? "threads" : difference.name(finding.key());
        String other = difference.name(part.key());
        String numbers =
            part.kind() == Part.Kind.CALLS
                ? " %.0f > %.0f".formatted(part.before(), part.after())
                : "";
        found.add((name + ' ' + part.kind() + ' ' + other + numbers).replace("a.App.", ""));
      }
    }
    return found;
  }

  private static Part onlyPart(Difference difference) {
    List<Finding> findings = Choice.certain(difference);
    assertThat(findings).hasSize(1);
    assertThat(findings.getFirst().parts()).hasSize(1);
    return findings.getFirst().parts().getFirst();
  }

  @Test
  void nothingChanged() throws IOException {
    assertThat(certain(compare(p -> {}))).isEmpty();
  }

  @Test
  void theMachineWasSlower() throws IOException {
    Difference difference = compare(p -> p.speed = 1.7);
    assertThat(certain(difference)).isEmpty();
    assertThat(difference.drift().factor()).isCloseTo(1.7, within(0.05));
  }

  @Test
  void oneMethodIsSlowerByAKnownTime() throws IOException {
    Difference difference = compare(p -> p.parse += 15_000);
    assertThat(certain(difference)).containsExactly("parse BUSY ");
    Part part = onlyPart(difference);
    double expected = 2 * 300 * 15_000.0; // both workers
    assertThat(part.weight().value()).isCloseTo(expected, within(0.05 * expected));
    assertThat(part.weight().low()).isLessThan(expected);
    assertThat(part.weight().high()).isGreaterThan(expected);
    assertThat(part.after() - part.before()).isCloseTo(15_000, within(700.0));
  }

  @Test
  void oneMethodIsSlowerOnASlowerMachine() throws IOException {
    Difference difference =
        compare(p -> {
          p.parse *= 2;
          p.speed = 0.6;
        });
    assertThat(certain(difference)).containsExactly("parse BUSY ");
  }

  @Test
  void aLoopHasMorePasses() throws IOException {
    Difference difference = compare(p -> p.writes = 8);
    assertThat(certain(difference)).containsExactly("store CALLS write 5 > 8");
    Part part = onlyPart(difference);
    assertThat(part.verdict()).isEqualTo(Verdict.EXACT);
    double write = 4_100 + 300_000 / 200.0; // with the disturbances
    assertThat(part.weight().value()).isCloseTo(2 * 300 * 3 * write, within(1.5e6));
  }

  @Test
  void oneCallMore() throws IOException {
    assertThat(certain(compare(p -> p.flush = true))).containsExactly("store CALLS flush 0 > 1");
  }

  @Test
  void anotherOrder() throws IOException {
    Difference difference = compare(p -> p.swapped = true);
    assertThat(certain(difference)).containsExactly("request ORDER right");
    assertThat(difference.name(onlyPart(difference).node().key())).isEqualTo("a.App.left");
  }

  @Test
  void threadsAreRenamed() throws IOException {
    Difference difference = compare(p -> p.threads = "job ");
    assertThat(certain(difference)).isEmpty();
    assertThat(difference.roles()).hasSize(1);
    AlignedRole role = difference.roles().getFirst();
    assertThat(role.isRenamed()).isTrue();
    assertThat(role.name()).isEqualTo("job #");
    assertThat(role.threads(Side.BASE)).isEqualTo(2);
  }

  @Test
  void itWaits() throws IOException {
    Difference difference = compare(p -> p.sleep = 40_000);
    assertThat(certain(difference)).containsExactly("parse WAIT sleep");
    assertThat(onlyPart(difference).weight().value()).isCloseTo(2 * 300 * 40_000.0, within(1e5));
  }

  @Test
  void calledMoreOftenByAThread() throws IOException {
    Difference difference = compare(p -> p.requests = 400);
    assertThat(certain(difference)).containsExactly("serve CALLS request 300 > 400");
    assertThat(onlyPart(difference).verdict()).isEqualTo(Verdict.ONCE);
  }

  @Test
  void lossesAreNotTakenForChanges() throws IOException {
    Difference difference =
        compare(p -> {
          p.loss = 100;
          p.requests = 299;
        });
    assertThat(certain(difference)).isEmpty();
    assertThat(difference.roles().getFirst().isLossy()).isTrue();
  }

  @Test
  void severalRecordingsShowSmallDifferences() throws IOException {
    List<CallPass> base = new ArrayList<>();
    List<CallPass> fresh = new ArrayList<>();
    double[] speeds = {1, 1.3, 0.9, 1.1};
    for (double speed : speeds) {
      base.add(record(p -> p.speed = speed));
      fresh.add(
          record(p -> {
            p.speed = speed * 1.1;
            p.load += 2_000;
          }));
    }
    Difference difference = Difference.of(base, fresh, ProgressListener.NONE);
    assertThat(certain(difference)).containsExactly("load BUSY ");
  }
}
