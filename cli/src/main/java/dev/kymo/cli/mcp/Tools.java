package dev.kymo.cli.mcp;

import java.util.List;

/** All tools. */
final class Tools {
  static final List<Tool> ALL =
      List.of(
          new CommandTools.FactsTool(),
          new CommandTools.ReportTool(),
          new FindTool(),
          new CommandTools.WhyTool(),
          new TablesTool(),
          new QueryTool(),
          new CommandTools.CheckTool(),
          new PictureTool());

  private Tools() {}
}
