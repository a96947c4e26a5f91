package dev.kymo.analysis.samples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.format.Definition;
import dev.kymo.format.EventKind;
import dev.kymo.model.calls.CallPass;
import dev.kymo.model.calls.ProgressListener;
import dev.kymo.reader.Recording;
import dev.kymo.testkit.RecordingBuilder;
import dev.kymo.testkit.StreamWriter;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Samples of two threads, whose stacks share their outer parts. */
class SampleReportTest {
  @TempDir Path directory;

  private Path recording() {
    RecordingBuilder r = new RecordingBuilder().process(1);
    r.thread(1, 1, "main").thread(1, 2, "other");
    r.method(1, 1, "a.B", "main").method(1, 2, "a.B", "run").method(1, 3, "a.C", "sum");
    r.stack(1, 1, 0, 1).stack(1, 2, 1, 2).stack(1, 3, 2, 3).stack(1, 4, 2, 2);
    r.stack(1, 9, 12, 3); // its caller is not smaller: left out
    r.define(1, new Definition.Subsystem(1, 1, Definition.Stack.SAMPLES, "", ""));
    event(r, 8, "alloc", "u32 stack; u64 bytes;");
    event(r, 9, "cpu", "u32 stack;");
    event(r, 10, "other", "u64 stack;");
    StreamWriter main = r.ring(1, 0, 1).own(100, 9, 3).own(110, 9, 3).own(120, 9, 4);
    main.own(130, 8, new byte[] {2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0}).own(140, 10, 3);
    r.ring(1, 1, 2).own(150, 9, 3).own(160, 9, 0).own(170, 9, 77);
    return r.write(directory);
  }

  private static void event(RecordingBuilder r, int number, String name, String fields) {
    int kind = EventKind.INSTANT.number();
    r.define(1, new Definition.Event(number, 1, number, kind, name, "", fields));
  }

  private static List<String> rows(SampleReport.Kind kind) {
    return kind.rows().stream()
        .map(row -> row.method().qualifiedName() + " " + row.own() + " " + row.total())
        .toList();
  }

  @Test
  void aMethodHasTheSamplesOfWhatItCalledOnce() throws Exception {
    try (Recording recording = Recording.open(recording())) {
      SampleReport report =
          SampleReport.of(
              CallPass.open(recording), 0, Long.MAX_VALUE, t -> true, ProgressListener.NONE);
      List<SampleReport.Kind> kinds = report.kinds();
      assertThat(kinds).extracting(SampleReport.Kind::name).containsExactly("cpu", "alloc");
      assertThat(kinds.get(0).samples()).isEqualTo(6);
      assertThat(kinds.get(0).unknown()).isEqualTo(2);
      assertThat(rows(kinds.get(0))).containsExactly("a.C.sum 3 3", "a.B.run 1 4", "a.B.main 0 4");
      assertThat(rows(kinds.get(1))).containsExactly("a.B.run 1 1", "a.B.main 0 1");
    }
  }

  @Test
  void aPartHasItsSamplesOnly() throws Exception {
    try (Recording recording = Recording.open(recording())) {
      SampleReport report =
          SampleReport.of(
              CallPass.open(recording),
              10,
              50,
              t -> t.definition().name().equals("main"),
              ProgressListener.NONE);
      assertThat(rows(report.kinds().get(0)))
          .containsExactly("a.B.run 1 2", "a.C.sum 1 1", "a.B.main 0 2");
    }
  }
}
