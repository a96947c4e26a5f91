package dev.kymo.cli.mcp;

import dev.kymo.cli.options.LogOptions;
import dev.kymo.cli.options.RecordingArgument;
import dev.kymo.cli.terminal.Terminal;
import dev.kymo.query.ask.Questions;
import dev.kymo.query.worker.OwnCommand;
import dev.kymo.query.worker.Worker;
import dev.kymo.query.worker.WorkerLoop;
import dev.kymo.session.ExitCode;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code kymo mcp}: answers the questions of another program. */
@Command(
    name = "mcp",
    mixinStandardHelpOptions = true,
    description = {
      "Lets a program, such as a coding assistant, ask about recordings.",
      "A server of the Model Context Protocol on standard input and output, until that ends"
          + " (docs/mcp.md)."
    })
public final class McpCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Parameters(
      arity = "1..*",
      paramLabel = "RECORDING",
      description = "Directory of the recording, or another tracer's file.")
  private List<Path> paths;

  @Option(names = "--answer", hidden = true, description = "Be the process that answers.")
  private boolean answers;

  @Mixin private LogOptions logs;

  public McpCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException {
    OutputStream out = new FileOutputStream(FileDescriptor.out);
    System.setOut(System.err); // nothing but messages goes there
    return answers ? answer(out) : talk(out);
  }

  private int answer(OutputStream out) throws IOException {
    Map<String, OpenRecording> recordings = new LinkedHashMap<>();
    for (Path path : paths) {
      Path ready = RecordingArgument.ready(path, logs, terminal);
      String name = name(path, recordings);
      recordings.put(name, new OpenRecording(ready, name, terminal));
    }
    // What is open ends with the process: a question may still be worked on.
    WorkerLoop.run(System.in, out, new ToolAnswers(recordings));
    return ExitCode.OK;
  }

  private int talk(OutputStream out) throws IOException {
    Map<String, OpenRecording> named = new LinkedHashMap<>();
    for (Path path : paths) {
      String name = name(path, named);
      named.put(name, new OpenRecording(path, name, terminal));
    }
    CompletableFuture<Integer> end = new CompletableFuture<>();
    try (Worker worker = new Worker(this::command, Questions.maxBytes())) {
      terminal.cleanup().add(worker::close); // it may end by a signal
      worker.start(end::complete);
      Conversation conversation = new Conversation(named, worker, out);
      Thread.ofPlatform()
          .daemon()
          .name("kymo requests")
          .start(() -> {
            try {
              conversation.run(System.in);
              end.complete(ExitCode.OK);
            } catch (IOException e) {
              end.completeExceptionally(e);
            }
          });
      return end.handle(McpCommand::exit).join();
    }
  }

  private static int exit(Integer code, @Nullable Throwable broken) {
    return broken == null ? code : ExitCode.OK; // nobody reads the answers any more
  }

  private List<String> command(Path room) {
    List<String> command = new ArrayList<>(OwnCommand.of("dev.kymo.cli.Main", room));
    command.addAll(List.of("mcp", "--answer"));
    command.addAll(logs.words());
    command.add("--");
    paths.forEach(path -> command.add(path.toString()));
    return command;
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
