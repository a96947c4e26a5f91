package dev.kymo.cli.machine;

import dev.kymo.cli.terminal.Nanos;
import dev.kymo.instructions.calls.InstructionTrace;
import dev.kymo.reader.Recording;
import dev.kymo.session.ExitCode;
import dev.kymo.session.StandardError;
import dev.kymo.session.UsageException;
import dev.kymo.session.machine.MachineHome;
import dev.kymo.session.machine.MachineReplay;
import dev.kymo.session.machine.ReplayPlace;
import dev.kymo.session.system.Inherited;
import dev.kymo.session.system.LinuxCalls;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
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
    footer = {
      "",
      "kymo print RECORDING --instructions shows what was added, and kymo print RECORDING --data what"
          + " was added by --at and --ready."
    })
public final class MachineReplayCommand implements Callable<Integer> {
  private static final int SHOWN = 100;

  @Parameters(paramLabel = "RECORDING", description = "Directory of a machine's recording.")
  private Path path = Path.of("");

  @Option(
      names = "--registers",
      description = "The general registers at each instruction; about a byte for each.")
  private boolean registers;

  @Option(
      names = "--memory",
      description = "Each access to memory with address and value; about a byte for each.")
  private boolean memory;

  @Option(
      names = "--ready",
      description = "Which threads are ready to run, whenever the kernel switches to another one.")
  private boolean ready;

  @ArgGroup(exclusive = false, multiplicity = "0..*")
  private List<Place> places = new ArrayList<>();

  /** An instruction and what is wanted there. */
  static final class Place {
    @Option(
        names = "--at",
        required = true,
        paramLabel = "PLACE",
        description =
            "Each time that this instruction is executed: 0xADDRESS or [FILE:]FUNCTION[+OFFSET].")
    private String at = "";

    @Option(
        names = "--data",
        paramLabel = "VALUE[,VALUE...]",
        description =
            "What is wanted before it is executed: registers, numbers, + - * & and ( ),"
                + " *(u32*)(rsi+8) for memory (u8 to u64, i8 to i64), str(rdi) for a text.")
    private String data = "";
  }

  @Option(
      names = "--from",
      paramLabel = "N",
      converter = Nanos.Converter.class,
      description = "Number of the first instruction that is looked at; default: 0.")
  private @Nullable Nanos from;

  @Option(
      names = "--to",
      paramLabel = "N",
      converter = Nanos.Converter.class,
      description =
          "Number of the instruction to end before; default, without --registers and --memory: the"
              + " end.")
  private @Nullable Nanos to;

  @Option(
      names = "--plugin",
      paramLabel = "FILE[,ARGUMENT]",
      description =
          "A plugin of your own for QEMU 10, which looks at all of the machine; nothing is added.")
  private @Nullable String plugin;

  @Option(
      names = "--gdb",
      paramLabel = "SOCKET",
      description =
          "The machine waits for gdb at its first instruction: target remote SOCKET. Nothing is"
              + " added.")
  private @Nullable Path gdb;

  @Option(
      names = {"-q", "--quiet"},
      description = "Write no closing line on standard error.")
  private boolean quiet;

  @Override
  public Integer call() throws IOException, InterruptedException {
    boolean details = registers || memory || ready || !places.isEmpty();
    if (Stream.of(details, plugin != null, gdb != null).filter(given -> given).count() != 1) {
      throw new UsageException(
          "give what is to be added (--registers, --memory, --ready, --at), or --plugin, or --gdb");
    }
    LinuxCalls.useLibrary();
    MachineHome home = MachineHome.of(Inherited.find().environment());
    MachineReplay replay = new MachineReplay(home, path);
    if (plugin != null) {
      return replay.plugin(plugin);
    }
    return gdb == null ? add(replay) : replay.gdb(gdb);
  }

  private int add(MachineReplay replay) throws IOException, InterruptedException {
    if (to == null && (registers || memory)) {
      throw new UsageException("give the range: --from N --to M");
    }
    long begin = from == null ? 0 : from.value();
    long end = to == null ? Long.MAX_VALUE : to.value();
    if (end <= begin) {
      throw new UsageException(
          "there is nothing in the range: from=%d to=%d".formatted(begin, end));
    }
    String added =
        replay.add(new MachineReplay.Details(begin, end, registers, memory, ready, found()));
    if (added.isEmpty()) {
      StandardError.say("nothing added: the machine did not come to it: from=" + begin);
      return ExitCode.FAILED;
    }
    if (!quiet) {
      String look =
          registers || memory
              ? "--instructions --from %d --to %d".formatted(begin, Math.min(end, begin + SHOWN))
              : "--data";
      StandardError.say("added %s; look at it with: kymo print %s %s".formatted(added, path, look));
    }
    return ExitCode.OK;
  }

  private List<ReplayPlace> found() throws IOException {
    List<ReplayPlace> found = new ArrayList<>();
    if (!places.isEmpty()) {
      try (Recording recording = Recording.open(path)) {
        InstructionTrace trace = recording.instructions();
        if (trace == null) {
          throw new UsageException("not the recording of a machine: path=" + path);
        }
        for (Place place : places) {
          found.add(ReplayPlace.find(trace, place.at, place.data));
        }
      }
    }
    return found;
  }
}
