package dev.kymo.cli.mcp;

import dev.kymo.analysis.selection.Progress;
import dev.kymo.cli.diff.DiffCommand;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The tool that says how recordings differ: there must be several. */
final class DiffTool implements Tool {
  private final Map<String, OpenRecording> recordings;

  DiffTool(Map<String, OpenRecording> recordings) {
    this.recordings = recordings;
  }

  @Override
  public String name() {
    return "diff";
  }

  @Override
  public String description() {
    return "How recordings of the same program differ, and whether that is more than chance: calls that"
        + " there are more of, methods that take longer themselves, waits; each told at the call that"
        + " explains it. Several recordings a side make it surer.";
  }

  @Override
  public List<Argument> arguments() {
    String names = "names, with commas between them, of " + recordings.keySet();
    return List.of(
        new Argument("with", "string", true, "the program as it is now: " + names),
        Argument.text("base", "the program as it was: the same; default: 'recording'"),
        Argument.text("gate", "a rule such as 5% or 'X.parse p99 +10%': says whether it holds"),
        Argument.number("limit", "differences at most; default: 20"));
  }

  @Override
  public Answer answer(OpenRecording recording, Given given, Progress progress) {
    List<String> words = new ArrayList<>(paths(given.text("base").orElse(recording.name())));
    for (String path : paths(given.text("with").orElse(""))) {
      words.add("--with=" + path);
    }
    given.text("gate").ifPresent(gate -> words.add("--gate=" + gate));
    words.add("--limit=" + given.number("limit", 20, 1, 1000));
    return Written.of(DiffCommand::new, words, "ask for fewer with limit", progress);
  }

  private List<String> paths(String names) {
    return Stream.of(names.split(",")).map(name -> path(name.strip())).toList();
  }

  private String path(String name) {
    OpenRecording found = recordings.get(name);
    if (found == null) {
      throw new MistakeException(
          "no such recording: %s; one of %s".formatted(name, recordings.keySet()));
    }
    return found.path().toString();
  }
}
