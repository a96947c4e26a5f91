package dev.kymo.cli;

import dev.kymo.recorder.ChildEnvironment;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs a command under the recorder. Input, output, signals and exit code are the command's own.
 */
final class CommandRun {
  /** Where libkymo finds the recording. */
  private static final String NATIVE_SESSION = "KYMO_SESSION";

  private final RecordingRun recording;
  private final List<String> command;
  private final boolean threads;

  /**
   * A command to be run.
   *
   * @param threads whether thread operations are recorded
   */
  CommandRun(RecordingRun recording, List<String> command, boolean threads) {
    this.recording = recording;
    this.command = command;
    this.threads = threads;
  }

  /** Exit code of the command; 2 if it could not be run, or ran nothing that is recorded. */
  int run() throws IOException, InterruptedException {
    Path program = JavaVersion.find(command.getFirst());
    if (program == null) {
      return refuse("command not found: " + command.getFirst());
    }
    ProcessBuilder builder = new ProcessBuilder(command).inheritIO();
    builder.environment().put(NATIVE_SESSION, recording.sharedMemory().toString());
    Path agent = recording.options().agent();
    if (threads) {
      String obstacle = Preload.obstacle(program);
      if (obstacle != null) {
        return refuse(
            "no thread operations can be recorded of a program that is %s, nothing can be preloaded into it: %s"
                .formatted(obstacle, program));
      }
      if (!Preload.threads(agent, builder.environment())) {
        return refuse(
            "no thread operations can be recorded: libkymo-threads was not built, which needs gcc, make and an"
                + " x86-64 machine");
      }
    } else {
      Preload.functions(agent, builder.environment());
    }
    String agentOption = JavaVersion.agentOption(program);
    if (agentOption != null) {
      List<String> words = new ArrayList<>(command);
      words.add(1, agentOption + recording.agentOption());
      builder.command(words);
    } else {
      String option =
          ChildEnvironment.option(
              recording.options().agent().toString(), recording.sharedMemory().toString());
      builder
          .environment()
          .merge(ChildEnvironment.VARIABLE, option, (given, ours) -> given + " " + ours);
    }
    Process process;
    try {
      process = recording.begin(builder);
    } catch (IOException e) {
      return refuse("command cannot be run: " + e.getMessage());
    }
    int exit;
    try (Signals signals = Signals.forwardTo(process.pid())) {
      exit = process.waitFor();
    }
    if (recording.finish() == 0 && !recording.hasKernelEvents()) {
      recording.discard();
      RecordingRun.say(nothing(program));
      return exit == 0 ? 2 : exit;
    }
    return exit;
  }

  private String nothing(Path program) {
    String obstacle = Preload.obstacle(program);
    String because =
        obstacle == null
            ? "the command ran no Java program, and none built with -finstrument-functions or events"
                + (threads ? ", or with thread operations" : "")
            : "the program is %s, so libkymo cannot be preloaded".formatted(obstacle);
    Path closed = OtherUser.closed(recording.options().agent());
    if (closed != null) {
      because +=
          " (programs of other users could not be recorded, they cannot read %s)".formatted(closed);
    }
    return "nothing recorded: " + because + ": " + String.join(" ", command);
  }

  private int refuse(String why) throws IOException, InterruptedException {
    recording.finish();
    recording.discard();
    RecordingRun.say(why);
    return 2;
  }
}
