package dev.kymo.exporters.stacks;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.kymo.analysis.names.ThreadFilter;
import dev.kymo.analysis.summary.MethodSummary;
import dev.kymo.analysis.summary.Summary;
import dev.kymo.analysis.summary.SummaryQuery;
import dev.kymo.exporters.bytes.Wire;
import dev.kymo.exporters.source.ExportFormat;
import dev.kymo.exporters.source.MadeUp;
import dev.kymo.exporters.source.ModelCalls;
import dev.kymo.exporters.source.Selected;
import dev.kymo.exporters.source.Tools;
import dev.kymo.model.calls.CallPass;
import dev.kymo.model.calls.ProgressListener;
import dev.kymo.model.definitions.TrackKind;
import dev.kymo.reader.Recording;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StacksTest {
  private static final List<Selected> RANGES =
      List.of(Selected.all(), new Selected(1_510, 20_000, new ThreadFilter(List.of())));

  @TempDir Path directory;

  private Path export(ExportFormat format, Path recording, Selected selected) throws IOException {
    Path to = Files.createTempFile(directory, "export", "");
    try (Recording open = Recording.open(recording)) {
      format.write(MadeUp.open(open, selected), to);
    }
    return to;
  }

  /** What the report says: by method, its calls and its own time. */
  private static Map<String, List<Long>> report(Path path, Selected selected) throws IOException {
    Map<String, List<Long>> sums = new TreeMap<>();
    try (Recording recording = Recording.open(path)) {
      SummaryQuery query =
          new SummaryQuery(
              selected.from(), selected.to(), selected.threads(), TrackKind.CALLS, false);
      Summary summary = Summary.of(CallPass.open(recording), query, ProgressListener.NONE);
      for (MethodSummary row : summary.rows()) {
        add(sums, row.method().qualifiedName(), row.calls(), row.self());
      }
    }
    return sums;
  }

  private static void add(Map<String, List<Long>> to, String name, long calls, long self) {
    to.merge(
        name, List.of(calls, self), (a, b) -> List.of(a.get(0) + b.get(0), a.get(1) + b.get(1)));
  }

  @Test
  void collapsedTimesAreThoseOfTheReport() throws IOException {
    for (Path recording : MadeUp.all(directory).toList()) {
      for (Selected selected : RANGES) {
        Map<String, List<Long>> sums = new TreeMap<>();
        for (String line : Files.readAllLines(export(new CollapsedExport(), recording, selected))) {
          int space = line.lastIndexOf(' ');
          String frame = line.substring(line.lastIndexOf(';', space) + 1, space);
          add(sums, frame, 1, Long.parseLong(line.substring(space + 1)));
        }
        report(recording, selected)
            .forEach((name, row) -> {
              // Each line, of at least one call, is rounded down to a nanosecond.
              List<Long> lines = sums.getOrDefault(name, List.of(0L, 0L));
              assertThat(lines.get(1)).isBetween(row.get(1) - row.get(0), row.get(1));
            });
      }
    }
  }

  @Test
  void collapsedStacksAreWhole() throws IOException {
    Path file = export(new CollapsedExport(), MadeUp.everything(directory), Selected.all());
    assertThat(file).content().contains("a.Main.run;a.B.f\\g;a.B.f\\g 100\n");
  }

  @Test
  void pprofValuesAreThoseOfTheReport() throws IOException {
    for (Path recording : MadeUp.all(directory).toList()) {
      for (Selected selected : RANGES) {
        Path file = export(new PprofExport(), recording, selected);
        Map<String, List<Long>> sums = new TreeMap<>();
        Wire profile = Wire.of(unzipped(file));
        List<Wire.Field> strings = profile.all(6);
        Map<Long, String> functions = new TreeMap<>();
        for (Wire function : profile.messages(5)) {
          functions.put(function.number(1), string(strings, function.number(2)));
        }
        Map<Long, String> locations = new TreeMap<>();
        for (Wire location : profile.messages(4)) {
          locations.put(location.number(1), functions.get(location.message(4).number(1)));
        }
        for (Wire sample : profile.messages(2)) {
          List<Long> values = Wire.packed(sample.bytes(2));
          String leaf = locations.get(Wire.packed(sample.bytes(1)).getFirst());
          add(sums, String.valueOf(leaf), values.get(0), values.get(1));
        }
        report(recording, selected)
            .forEach((name, row) -> {
              List<Long> sum = sums.getOrDefault(name, List.of(0L, 0L));
              assertThat(sum.get(0)).as(name).isEqualTo(row.get(0));
              assertThat(sum.get(1)).as(name).isBetween(row.get(1) - row.get(0), row.get(1));
            });
      }
    }
  }

  private static String string(List<Wire.Field> strings, long number) {
    return new String(strings.get((int) number).bytes(), StandardCharsets.UTF_8);
  }

  private static byte[] unzipped(Path file) throws IOException {
    try (GZIPInputStream in = new GZIPInputStream(Files.newInputStream(file))) {
      return in.readAllBytes();
    }
  }

  @Test
  void pprofHasWhatIsKnownOfTheWhole() throws IOException {
    Path file = export(new PprofExport(), MadeUp.everything(directory), Selected.all());
    Wire profile = Wire.of(unzipped(file));
    List<Wire.Field> strings = profile.all(6);
    assertThat(string(strings, 0)).isEmpty();
    assertThat(profile.number(9)).isEqualTo(1_700_000_000_000_001_000L);
    assertThat(profile.number(10)).isEqualTo(3_001);
    assertThat(profile.all(13))
        .extracting(comment -> string(strings, comment.value()))
        .contains(
            "command: java App",
            "unit: ns",
            "lost of process 1 thread 2 (worker \"q\"\n): 5 events in 1 gaps",
            "lost of process 1: events of threads without a ring: 3",
            "probe cost of process 1: 9000 ps in the call, 11000 ps in its caller;"
                + " 18000 ps counted and timed, 2250 ps sampled");
  }

  @Test
  @Tag("peer")
  void protocReadsPprof() throws IOException {
    Tools.assume("protoc", "protobuf-compiler");
    Path schema = directory.resolve("profile.proto");
    Files.writeString(
        schema,
        """
        syntax = "proto3";
        message Profile {
          repeated Pair sample_type = 1; repeated Sample sample = 2; repeated Location location = 4;
          repeated Function function = 5; repeated string string_table = 6; int64 time_nanos = 9;
          int64 duration_nanos = 10; repeated int64 comment = 13; int64 default_sample_type = 14;
        }
        message Pair { int64 type = 1; int64 unit = 2; }
        message Sample {
          repeated uint64 location_id = 1; repeated int64 value = 2; repeated Label label = 3;
        }
        message Label { int64 key = 1; int64 str = 2; int64 num = 3; int64 num_unit = 4; }
        message Location { uint64 id = 1; repeated Line line = 4; }
        message Line { uint64 function_id = 1; int64 line = 2; }
        message Function {
          uint64 id = 1; int64 name = 2; int64 system_name = 3; int64 filename = 4;
          int64 start_line = 5;
        }
        """);
    Path file = export(new PprofExport(), MadeUp.everything(directory), Selected.all());
    byte[] bytes = unzipped(file);
    Path plain = Files.write(directory.resolve("plain"), bytes);
    String text =
        Tools.run(
            plain,
            List.of("protoc", "--proto_path=" + directory, "--decode=Profile", schema.toString()));
    assertThat(text.lines().filter(line -> line.equals("sample {")))
        .hasSize(Wire.of(bytes).all(2).size());
    assertThat(text.lines()).noneMatch(line -> line.matches("\\s*\\d+[:{ ].*"));
  }

  @Test
  void speedscopeCallsAreThoseOfTheModel() throws IOException {
    for (Path recording : MadeUp.all(directory).toList()) {
      Path file = export(new SpeedscopeExport(), recording, Selected.all());
      assertThat(lines(file)).isEqualTo(MadeUp.calls(recording));
    }
  }

  /** The calls of all profiles, sorted. */
  private static List<String> lines(Path file) throws IOException {
    List<String> names = frames(file);
    List<String> lines = new ArrayList<>();
    List<Long> begins = new ArrayList<>();
    List<Long> frames = new ArrayList<>();
    String track = "";
    String type = "";
    long frame = 0;
    try (JsonParser json = new JsonFactory().createParser(file.toFile())) {
      while (json.nextToken() != null && !"shared".equals(json.currentName())) {
        if (json.currentToken().isScalarValue()) {
          switch (String.valueOf(json.currentName())) {
            case "name" -> track = json.getText();
            case "type" -> type = json.getText();
            case "frame" -> frame = json.getLongValue();
            case "at" -> {
              if (type.equals("O")) {
                begins.add(json.getLongValue());
                frames.add(frame);
              } else {
                assertThat(frames.removeLast()).isEqualTo(frame);
                String name = names.get((int) frame);
                lines.add(ModelCalls.line(track, name, begins.removeLast(), json.getLongValue()));
              }
            }
            default -> assertThat(json.currentName()).isNotEqualTo("unknown");
          }
        }
      }
    }
    assertThat(begins).isEmpty();
    Collections.sort(lines);
    return lines;
  }

  private static List<String> frames(Path file) throws IOException {
    List<String> names = new ArrayList<>();
    try (JsonParser json = new JsonFactory().createParser(file.toFile())) {
      boolean shared = false;
      while (json.nextToken() != null) {
        shared |= "shared".equals(json.currentName());
        if (shared
            && json.currentToken() == JsonToken.VALUE_STRING
            && "name".equals(json.currentName())) {
          names.add(json.getText());
        }
      }
    }
    return names;
  }
}
