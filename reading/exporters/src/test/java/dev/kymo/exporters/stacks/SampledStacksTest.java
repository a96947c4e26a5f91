package dev.kymo.exporters.stacks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kymo.analysis.names.ThreadFilter;
import dev.kymo.analysis.selection.UnanswerableException;
import dev.kymo.exporters.bytes.Wire;
import dev.kymo.exporters.source.ExportFormat;
import dev.kymo.exporters.source.MadeUp;
import dev.kymo.exporters.source.Selected;
import dev.kymo.format.Definition;
import dev.kymo.format.EventKind;
import dev.kymo.reader.Recording;
import dev.kymo.testkit.RecordingBuilder;
import dev.kymo.testkit.StreamWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Samples in the place of calls. */
class SampledStacksTest {
  private static final int TIME = 8;
  private static final int BYTES = 9;

  @TempDir Path directory;

  private Path recording = Path.of("");
  private String written = "";

  @BeforeEach
  void record() {
    RecordingBuilder r = sampled();
    recording = r.end(1, 0).write(directory.resolve("samples.kymo"));
  }

  /**
   * Seen in a.C.su:m (three times), in a.B.main (once), and once nobody knows where; and a call.
   */
  private static RecordingBuilder sampled() {
    RecordingBuilder r = new RecordingBuilder().process(1);
    r.thread(1, 1, "main").thread(1, 2, "other").thread(1, 3, "calls only");
    r.method(1, 1, "a.B", "main").method(1, 2, "a.C", "su;m").method(1, 3, "a.D", "called");
    r.stack(1, 1, 0, 1).stack(1, 2, 1, 2);
    r.define(1, new Definition.Subsystem(1, 1, Definition.Stack.SAMPLES, "", ""));
    int kind = EventKind.INSTANT.number();
    r.define(1, new Definition.Event(TIME, 1, 1, kind, "cpu-clock", "", "u32 stack; u64 period;"));
    r.define(1, new Definition.Event(BYTES, 1, 2, kind, "alloc", "", "u32 stack; u64 weight;"));
    StreamWriter main = r.ring(1, 0, 1).own(100, TIME, data(2, 5)).own(110, TIME, data(2, 6));
    main.own(120, TIME, data(1, 7)).own(130, BYTES, data(2, 1000)).own(140, TIME, data(0, 8));
    r.ring(1, 1, 2).own(150, TIME, data(2, 9));
    r.ring(1, 2, 3).enter(100, 3).leave(200, 3);
    return r;
  }

  private static byte[] data(int stack, long weight) {
    return ByteBuffer.allocate(12)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt(stack)
        .putLong(weight)
        .array();
  }

  private Path export(ExportFormat format, Selected selected) throws IOException {
    Path to = Files.createTempFile(directory, "export", "");
    try (Recording open = Recording.open(recording)) {
      written = format.write(MadeUp.open(open, selected), to);
    }
    return to;
  }

  private String collapsed(String kind, Selected selected) throws IOException {
    return Files.readString(export(new CollapsedExport().of(kind), selected));
  }

  @Test
  void collapsedLinesAreNumbersOfSamples() throws IOException {
    assertThat(collapsed("", Selected.all())).isEqualTo("a.B.main 1\na.B.main;a.C.su:m 3\n");
    assertThat(written).isEqualTo("2 stacks, 5 samples of cpu-clock, 1 without a stack left out");
    assertThat(collapsed("alloc", Selected.all())).isEqualTo("a.B.main;a.C.su:m 1\n");
    assertThat(written).isEqualTo("1 stacks, 1 samples of alloc");
  }

  @Test
  void aPartHasItsSamples() throws IOException {
    Selected range = new Selected(10, 20, new ThreadFilter(List.of()));
    assertThat(collapsed("", range)).isEqualTo("a.B.main 1\na.B.main;a.C.su:m 1\n");
    Selected other = new Selected(0, Long.MAX_VALUE, new ThreadFilter(List.of("other")));
    assertThat(collapsed("", other)).isEqualTo("a.B.main;a.C.su:m 1\n");
    assertThat(collapsed("", new Selected(11, 12, new ThreadFilter(List.of())))).isEmpty();
  }

  @Test
  void callsCanBeAskedFor() throws IOException {
    assertThat(collapsed("none", Selected.all())).isEqualTo("a.D.called 100\n");
  }

  /** A process that was not sampled has more to say in calls. */
  @Test
  void callsOfAnotherProcessComeFirst() throws IOException {
    RecordingBuilder r = sampled().process(2).thread(2, 1, "main").method(2, 1, "b.C", "run");
    r.ring(2, 0, 1).enter(100, 1).leave(130, 1);
    recording = r.end(1, 0).end(2, 0).write(directory.resolve("both.kymo"));
    assertThat(collapsed("", Selected.all())).isEqualTo("a.D.called 100\nb.C.run 30\n");
    assertThat(collapsed("alloc", Selected.all())).isEqualTo("a.B.main;a.C.su:m 1\n");
  }

  @Test
  void unknownKindsAreRefused() {
    assertThatThrownBy(() -> collapsed("cpu", Selected.all()))
        .isInstanceOf(UnanswerableException.class)
        .hasMessage("no such samples: samples=cpu; the recording has cpu-clock, alloc");
  }

  @Test
  void pprofHasNumbersAndWeightsByThread() throws IOException {
    assertThat(pprof(""))
        .containsExactly(
            "samples/count time/nanoseconds",
            "main: a.B.main [1, 7]",
            "main: a.C.su;m a.B.main [2, 11]",
            "other: a.C.su;m a.B.main [1, 9]");
    assertThat(pprof("alloc"))
        .containsExactly("samples/count space/bytes", "main: a.C.su;m a.B.main [1, 1000]");
  }

  /** The types of values, then the samples, sorted. */
  private List<String> pprof(String kind) throws IOException {
    Wire profile;
    try (GZIPInputStream in =
        new GZIPInputStream(
            Files.newInputStream(export(new PprofExport().of(kind), Selected.all())))) {
      profile = Wire.of(in.readAllBytes());
    }
    List<Wire.Field> strings = profile.all(6);
    List<String> types = new ArrayList<>();
    for (Wire type : profile.messages(1)) {
      types.add(string(strings, type.number(1)) + "/" + string(strings, type.number(2)));
    }
    List<String> samples = new ArrayList<>();
    for (Wire sample : profile.messages(2)) {
      List<String> stack = new ArrayList<>();
      for (long location : Wire.packed(sample.bytes(1))) {
        stack.add(string(strings, profile.messages(5).get((int) location - 1).number(2)));
      }
      String thread = string(strings, sample.messages(3).getFirst().number(2));
      samples.add(thread + ": " + String.join(" ", stack) + " " + Wire.packed(sample.bytes(2)));
    }
    samples.sort(null);
    samples.addFirst(String.join(" ", types));
    return samples;
  }

  private static String string(List<Wire.Field> strings, long number) {
    return new String(strings.get((int) number).bytes(), StandardCharsets.UTF_8);
  }

  @Test
  void speedscopeHasSampledProfiles() throws IOException {
    assertThat(export(new SpeedscopeExport(), Selected.all()))
        .content()
        .contains(
            """
            "profiles":[
            {"type":"sampled","name":"main","unit":"nanoseconds","samples":[
            [0,1],
            [0,1],
            [0]
            ],"weights":[5,6,7],"startValue":0,"endValue":18},
            {"type":"sampled","name":"other","unit":"nanoseconds","samples":[
            [0,1]
            ],"weights":[9],"startValue":0,"endValue":9}
            ],
            "shared":{"frames":[
            {"name":"a.B.main","file":"App.java","line":12},
            {"name":"a.C.su;m","file":"App.java","line":12}
            ]}\
            """);
    assertThat(written)
        .isEqualTo("5 samples of cpu-clock, 1 without a stack left out in 2 profiles");
  }
}
