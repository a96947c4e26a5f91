package dev.kymo.cli.control;

import dev.kymo.cli.terminal.Terminal;
import dev.kymo.session.ExitCode;
import dev.kymo.session.control.RecordedInstructions;
import dev.kymo.session.control.RecordedProcess;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code kymo ctl}: changes what is recorded of a running program. */
@Command(
    name = "ctl",
    mixinStandardHelpOptions = true,
    description = "Changes what is recorded of a process while it runs.",
    customSynopsis = "kymo ctl PID COMMAND [EVENTS...]",
    footer = {
      "",
      "Commands:",
      "  status             whether it records, at which level, and which events are on",
      "  enable EVENTS...   events of the program's own on",
      "  disable EVENTS...  and off: a subsystem (disk), one event (disk.ALLOC),",
      "                     category:NAME, kind:KIND, or * for all",
      "  level LEVEL        calls: calls of methods and functions only; events: the",
      "                     program's own events only; all",
      "  stop, start        record nothing; go on",
      "  snapshot           of a flight recorder: write what the buffers hold as a",
      "                     recording of its own, and go on",
      "  flush              have everything so far in the recording's files",
      "",
      "Of instructions (kymo record --instructions) there are start, stop and status;",
      "they are for all processes of the recording, whichever PID is given."
    })
public final class CtlCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Parameters(index = "0", paramLabel = "PID", description = "A process that is being recorded.")
  private long pid;

  @Parameters(index = "1..*", arity = "1..*", paramLabel = "COMMAND", description = "See below.")
  private List<String> command;

  public CtlCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException {
    RecordedInstructions instructions = RecordedInstructions.find(pid);
    if (instructions != null) {
      terminal.line(instructions.say(String.join(" ", command)));
      return ExitCode.OK;
    }
    List<RecordedProcess> recorders = RecordedProcess.find(pid);
    for (RecordedProcess recorder : recorders) {
      String answer = recorder.say(String.join(" ", command)).strip();
      if (answer.startsWith("error: ")) {
        throw new IOException(answer.substring("error: ".length()));
      }
      terminal.lines(recorders.size() == 1 ? answer : recorder.kind() + ": " + answer);
    }
    return ExitCode.OK;
  }
}
