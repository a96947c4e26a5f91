package dev.kymo.cli.machine;

import dev.kymo.cli.system.Inherited;
import dev.kymo.cli.system.SystemCalls;
import dev.kymo.cli.terminal.ExitCode;
import dev.kymo.cli.terminal.Nanos;
import dev.kymo.cli.terminal.Terminal;
import dev.kymo.cli.terminal.UsageException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code kymo machine replay}: runs a recorded machine once more, to see more of it. */
@Command(
    name = "replay",
    mixinStandardHelpOptions = true,
    description =
        "Runs a recorded machine once more, the same to the instruction, and adds to the recording"
            + " what is asked for.",
    footer = {"", "kymo print RECORDING --instructions shows what was added."})
public final class MachineReplayCommand implements Callable<Integer> {
  private static final int SHOWN = 100;

  @Parameters(paramLabel = "RECORDING", description = "Directory of a machine's recording.")
  private Path path = Path.of("");

  @Option(
      names = "--registers",
      description = "The general registers at each instruction; about a byte for each.")
  private boolean registers;

  @Option(
      names = "--from",
      paramLabel = "N",
      converter = Nanos.Converter.class,
      description = "Number of the first instruction; default: 0.")
  private @Nullable Nanos from;

  @Option(
      names = "--to",
      paramLabel = "N",
      converter = Nanos.Converter.class,
      description = "Number of the instruction to end before.")
  private @Nullable Nanos to;

  @Option(
      names = "--plugin",
      paramLabel = "FILE[,ARGUMENT]",
      description =
          "A plugin of your own for QEMU 10, which looks at all of the machine; nothing is added.")
  private @Nullable String plugin;

  @Option(
      names = {"-q", "--quiet"},
      description = "Write no closing line on standard error.")
  private boolean quiet;

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (registers == (plugin != null)) {
      throw new UsageException("give either --registers or --plugin");
    }
    SystemCalls.useLibrary();
    MachineHome home = MachineHome.of(Inherited.find().environment());
    MachineReplay replay = new MachineReplay(home, path);
    return plugin == null ? addRegisters(replay) : replay.plugin(plugin);
  }

  private int addRegisters(MachineReplay replay) throws IOException, InterruptedException {
    if (to == null) {
      throw new UsageException("give the range: --from N --to M");
    }
    long begin = from == null ? 0 : from.value();
    long end = to.value();
    if (end <= begin) {
      throw new UsageException(
          "there is nothing in the range: from=%d to=%d".formatted(begin, end));
    }
    long added = replay.registers(begin, end);
    if (added == 0) {
      Terminal.say("nothing added: the machine did not come to the range: from=" + begin);
      return ExitCode.FAILED;
    }
    if (!quiet) {
      Terminal.say(
          "added the registers at %s instructions; look at them with: kymo print %s --instructions --from %d --to %d"
              .formatted(
                  "%,d".formatted(added).replace(',', ' '),
                  path,
                  begin,
                  Math.min(end, begin + SHOWN)));
    }
    return ExitCode.OK;
  }
}
