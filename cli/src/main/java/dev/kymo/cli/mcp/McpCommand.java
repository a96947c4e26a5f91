package dev.kymo.cli.mcp;

import dev.kymo.cli.options.LogOptions;
import dev.kymo.cli.options.RecordingArgument;
import dev.kymo.cli.terminal.ExitCode;
import dev.kymo.cli.terminal.Terminal;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code kymo mcp}: answers the questions of another program. */
@Command(
    name = "mcp",
    mixinStandardHelpOptions = true,
    description = {
      "Lets a program, such as a coding assistant, ask about recordings.",
      "A server of the Model Context Protocol on standard input and output, until that ends",
      "(docs/mcp.md)."
    })
public final class McpCommand implements Callable<Integer> {
  /** The library would say on standard error that nobody wants its log. */
  private static final String LOG_LEVEL = "slf4j.internal.verbosity";

  private final Terminal terminal;

  @Parameters(
      arity = "1..*",
      paramLabel = "RECORDING",
      description = "Directory of the recording, or another tracer's file.")
  private List<Path> paths;

  @Mixin private LogOptions logs;

  public McpCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    System.setProperty(LOG_LEVEL, "ERROR");
    Map<String, OpenRecording> recordings = new LinkedHashMap<>();
    try {
      for (Path path : paths) {
        Path ready = RecordingArgument.ready(path, logs, terminal);
        String name = name(path, recordings);
        recordings.put(name, new OpenRecording(ready, name, terminal));
      }
      try (OutputStream out = new FileOutputStream(FileDescriptor.out)) {
        new ToolServer(recordings, System.in).run(out);
      }
    } finally {
      for (OpenRecording each : recordings.values()) {
        each.close();
      }
    }
    return ExitCode.OK;
  }

  private static String name(Path path, Map<String, OpenRecording> others) {
    Path last = path.toAbsolutePath().normalize().getFileName();
    String plain = last == null ? "recording" : last.toString();
    String name = plain;
    for (int i = 2; others.containsKey(name); i++) {
      name = "%s (%d)".formatted(plain, i);
    }
    return name;
  }
}
