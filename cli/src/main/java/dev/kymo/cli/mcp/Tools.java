package dev.kymo.cli.mcp;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** All tools. */
final class Tools {
  /** Names the recording that is meant, if there are several. */
  static final String RECORDING = "recording";

  private Tools() {}

  /** Those that can answer something about these recordings, by their names. */
  static List<Tool> of(Map<String, OpenRecording> recordings) {
    List<Tool> all =
        new ArrayList<>(
            List.of(
                new CommandTools.FactsTool(),
                new CommandTools.ReportTool(),
                new FindTool(),
                new CommandTools.WhyTool(),
                new TablesTool(),
                new QueryTool(),
                new CommandTools.CheckTool(),
                new PictureTool()));
    if (recordings.size() > 1) {
      all.add(new DiffTool(recordings));
    }
    return all;
  }

  /**
   * The one with a name.
   *
   * @throws MistakeException if there is none
   */
  static Tool named(Map<String, OpenRecording> recordings, String name) {
    return of(recordings).stream()
        .filter(tool -> tool.name().equals(name))
        .findAny()
        .orElseThrow(() -> new MistakeException("no such tool: " + name));
  }

  static List<Tool.Argument> arguments(Tool tool, Map<String, OpenRecording> recordings) {
    List<Tool.Argument> all = new ArrayList<>(tool.arguments());
    all.add(
        Tool.Argument.number(
            Tool.SECONDS,
            "it may take so long, up to %d; default: %d"
                .formatted(Tool.MOST_SECONDS, tool.seconds())));
    if (recordings.size() > 1) {
      all.add(
          Tool.Argument.text(
              RECORDING, "one of %s; default: the first".formatted(recordings.keySet())));
    }
    return all;
  }
}
