package dev.kymo.cli.mcp;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** All tools. */
final class Tools {
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
}
