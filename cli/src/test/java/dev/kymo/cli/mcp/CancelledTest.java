package dev.kymo.cli.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.analysis.selection.Progress;
import dev.kymo.cli.terminal.Terminal;
import dev.kymo.testkit.RecordingBuilder;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tools end their work when nobody wants the answer any more: they are asked with that known. */
class CancelledTest {
  @TempDir Path folder;
  private final Terminal terminal =
      new Terminal(new ByteArrayOutputStream(), new PrintStream(new ByteArrayOutputStream()));
  private final Map<String, OpenRecording> recordings = new LinkedHashMap<>();

  @BeforeEach
  void record() {
    for (String name : new String[] {"one.kymo", "two.kymo"}) {
      RecordingBuilder r = new RecordingBuilder().process(1).thread(1, 1, "main");
      r.method(1, 1, "a.B", "run").ring(1, 0, 1).enter(100, 1).leave(150, 1);
      recordings.put(name, new OpenRecording(r.write(folder.resolve(name)), name, terminal));
    }
  }

  @AfterEach
  void close() throws Exception {
    for (OpenRecording each : recordings.values()) {
      each.close();
    }
    terminal.cleanup().run();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          report |        |
          find   | pattern| a.B.run
          why    | call   | 1/1:0@0.000000000
          check  | rules  | no loss
          query  | sql    | SELECT * FROM calls
          tables |        |
          picture|        |
          diff   | with   | two.kymo
          """)
  void everyToolEnds(String name, @Nullable String argument, @Nullable String value)
      throws Exception {
    Tool tool =
        Tools.of(recordings).stream().filter(each -> each.name().equals(name)).findAny().get();
    Map<String, Object> values =
        argument == null || value == null ? Map.of() : Map.of(argument, value);
    Given given = new Given(values, tool.arguments());
    OpenRecording first = recordings.values().iterator().next();
    Progress cancelled = new Progress();
    cancelled.giveUp();
    assertThat(answer(tool, first, given, cancelled)).contains("nobody wants it");
    // What was given up does not spoil the next question.
    assertThat(answer(tool, first, given, new Progress()))
        .isNotEmpty()
        .doesNotContain("nobody wants it");
  }

  private static String answer(Tool tool, OpenRecording recording, Given given, Progress progress)
      throws Exception {
    try {
      return tool.answer(recording, given, progress).text();
    } catch (CancellationException e) {
      return String.valueOf(e.getMessage());
    }
  }
}
