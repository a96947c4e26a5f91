package dev.kymo.importers.chrome;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kymo.importers.mutants.Mutants;
import dev.kymo.importers.target.Converted;
import dev.kymo.importers.target.ForeignException;
import dev.kymo.importers.target.ForeignFile;
import dev.kymo.importers.target.Import;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is in a file of trace events is in the recording. */
class ChromeFormatTest {
  private static final String MIXED =
      """
      {"displayTimeUnit":"ns","stackFrames":{"1":{"name":"main"},"2":{"name":"f","parent":"1"}},
       "traceEvents":[
        {"ph":"B","cat":"io","name":"read","pid":1,"tid":2,"ts":10.001,"args":{"n":1,"at":{"x":2.5}}},
        {"ph":"E","pid":1,"tid":2,"ts":20.5,"args":{"got":3}},
        {"ph":"X","cat":"io","name":"write","pid":1,"tid":2,"ts":30,"dur":5.0004,"tts":7,"sf":2},
        {"ph":"i","name":"mark","pid":1,"tid":2,"ts":31,"s":"t","args":{"list":[1,{"a":"b"}]}},
        {"ph":"C","name":"mem","pid":1,"tid":2,"ts":32,"args":{"used":7,"free":1.5}},
        {"ph":"s","cat":"f","name":"go","id":"0x1","pid":1,"tid":2,"ts":33},
        {"ph":"t","cat":"f","name":"go","id":"0x1","pid":"1","tid":"3","ts":34},
        {"ph":"f","cat":"f","name":"go","id":"0x1","pid":1,"tid":2,"ts":35,"bp":"e"},
        {"ph":"S","cat":"net","name":"get","id":9,"pid":1,"tid":2,"ts":40},
        {"ph":"T","cat":"net","name":"get","id":9,"pid":1,"tid":2,"ts":41,"args":{"step":"dns"}},
        {"ph":"F","cat":"net","name":"get","id":9,"pid":1,"tid":3,"ts":49},
        {"ph":"O","name":"tree","id":"0x5","pid":1,"tid":3,"ts":50,"args":{"snapshot":{"k":true}}},
        {"ph":"M","name":"thread_name","pid":1,"tid":2,"args":{"name":"Main"}},
        {"ph":"M","name":"process_sort_index","pid":1,"args":{"sort_index":4}}
       ],"otherData":{"v":"1"}}
      """;

  @TempDir Path folder;

  private Path write(String text) throws IOException {
    return Files.writeString(folder.resolve("trace"), text);
  }

  private Converted convert(Path file) throws IOException {
    ForeignFile foreign = ForeignFile.of(file);
    assertThat(new ChromeFormat().recognises(foreign)).isTrue();
    Path recording = Files.createDirectory(folder.resolve("out.kymo"));
    new ChromeFormat().convert(foreign, new Import(recording, (done, all) -> {}));
    return Converted.read(recording);
  }

  @Test
  void allPhasesAreKept() throws Exception {
    Converted read = convert(write(MIXED));
    assertThat(read.oddities()).isEmpty();
    assertThat(read.tracks()).containsExactlyInAnyOrder("Main", "thread 3", "net get", "process");
    assertThat(read.calls())
        .containsExactlyInAnyOrder(
            "Main: io.read 0-10499", "Main: io.write 19999-24999", "net get: net.get 29999-38999");
    assertThat(read.events())
        .contains(
            "Main: 0 io.read n=1 at.x=2.5",
            "Main: 10499 end got=3",
            "Main: 19999 io.write tts=7 stack=main;f",
            "Main: 20999 mark list=[1,{\"a\":\"b\"}] s=t",
            "Main: 21999 mem.used value=7",
            "Main: 21999 mem.free value=1.5",
            "net get: 30999 net.get step=dns id=9",
            "thread 3: 39999 object tree snapshot.k=true id=0x5",
            "process: 0 metadata process_sort_index sort_index=4 untimed=true");
    assertThat(read.messages()).isEqualTo(2);
    assertThat(read.notices())
        .contains(
            "imported from Chrome's trace events (JSON): file=trace events=14",
            "imported as messages: 3 (s 1, t 1, f 1)",
            "the file says: otherData={\"v\":\"1\"}");
  }

  @Test
  void secretsInCommandLinesAreLeftOut() throws Exception {
    String text =
        MIXED.replace("{\"v\":\"1\"}", "\"chrome --token=hunter2\",\"token\":\"hunter2\"");
    assertThat(convert(write(text)).notices())
        .contains("the file says: otherData=chrome --token=***", "the file says: token=***");
  }

  @Test
  void packedFilesAreUnpacked() throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
      out.write(MIXED.getBytes(StandardCharsets.UTF_8));
    }
    Converted read = convert(Files.write(folder.resolve("trace.gz"), bytes.toByteArray()));
    assertThat(read.calls()).hasSize(3);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ",", "]", ",]", ",{\"ph\":\"E\",\"ts\":3", ",{\"ph\":tru"})
  void arraysMayBeCut(String end) throws Exception {
    Converted read =
        convert(
            write(
                "[{\"ph\":\"E\",\"ts\":2,\"pid\":1,\"tid\":1},\n"
                    + "{\"ph\":\"B\",\"ts\":1,\"pid\":1,\"tid\":1,\"name\":\"a\"}"
                    + end));
    assertThat(read.calls()).containsExactly("thread 1: a 0-1000");
    boolean whole = end.endsWith("]");
    assertThat(read.notices().stream().anyMatch(notice -> notice.contains("ends within")))
        .isEqualTo(!whole);
  }

  @Test
  void unbalancedEventsAreCounted() throws Exception {
    Converted read =
        convert(
            write(
                """
                [{"ph":"E","ts":1,"pid":1,"tid":1},
                 {"ph":"B","ts":2,"pid":1,"tid":1,"name":"open"},
                 {"ph":"e","ts":3,"pid":1,"tid":1,"cat":"c","id":1,"name":"never"},
                 {"ph":"i","ts":9,"pid":1,"tid":1,"name":"last"}]
                """));
    assertThat(read.calls()).containsExactly("thread 1: open 0-7000");
    assertThat(read.notices())
        .contains(
            "ends of calls that had not begun were left out: count=1 first: track=\"thread 1\" time=1000",
            "ends of asynchronous calls that had not begun are events: count=1 first: name=\"never\" id=1 time=3000");
  }

  @Test
  void callsThatLastTooLongEndWithTheCallAroundThem() throws Exception {
    Converted read =
        convert(
            write(
                """
                [{"ph":"B","ts":1,"pid":1,"tid":1,"name":"outer"},
                 {"ph":"X","ts":2,"dur":9,"pid":1,"tid":1,"name":"long"},
                 {"ph":"E","ts":5,"pid":1,"tid":1}]
                """));
    assertThat(read.calls())
        .containsExactlyInAnyOrder("thread 1: outer 0-4000", "thread 1: long 1000-4000");
    assertThat(read.notices())
        .contains(
            "calls last longer than the call that they are in; they end with it: count=1 first: track=\"thread 1\" time=5000");
  }

  @Test
  void operationsThatDoNotOverlapShareATrack() throws Exception {
    StringBuilder text = new StringBuilder("[");
    for (int i = 0; i < 100; i++) {
      for (String phase : new String[] {"b", "e"}) {
        text.append(
            "{\"ph\":\"%s\",\"cat\":\"c\",\"name\":\"n\",\"id\":%d,\"pid\":1,\"tid\":1,\"ts\":%d},"
                .formatted(phase, i, 10 * i + (phase.equals("b") ? 0 : 15)));
      }
    }
    Converted read = convert(write(text.toString()));
    assertThat(read.calls()).hasSize(100).contains("c n: c.n 0-15000");
    assertThat(read.tracks()).containsOnly("c n").hasSize(2);
  }

  @Test
  void whatIsNoTraceIsRefused() throws Exception {
    Path file = write("[{\"ph\":\"B\",\"ts\":1e400,\"name\":\"a\"}]");
    assertThatThrownBy(() -> convert(file))
        .isInstanceOf(ForeignException.class)
        .hasMessage(
            "time is not a number of microseconds: file=%s offset=21 ts=1e400".formatted(file));
  }

  @Test
  void whatLooksLikeAnotherEncodingIsRefused() throws Exception {
    Path file = write("[\0\0\0hTmm{\"ph\":\"B\",\"ts\":1}]");
    assertThatThrownBy(() -> convert(file))
        .isInstanceOf(ForeignException.class)
        .hasMessageStartingWith("not JSON: file=%s".formatted(file))
        .hasMessageContaining("Invalid UTF-32 character");
  }

  @Test
  void otherTextIsNotATrace() throws Exception {
    for (String text : new String[] {"", "{}", "[]", "[1,2]", "{\"a\":\"ph\"}", "ph"}) {
      assertThat(new ChromeFormat().recognises(ForeignFile.of(write(text)))).isFalse();
    }
  }

  @Tag("formats")
  @Test
  void mutantsAreImportedOrRefused() throws Exception {
    byte[] original = MIXED.getBytes(StandardCharsets.UTF_8);
    assertThat(Mutants.importMany(new ChromeFormat(), List.of(original)))
        .isBetween(1, Mutants.MANY - 1);
  }
}
