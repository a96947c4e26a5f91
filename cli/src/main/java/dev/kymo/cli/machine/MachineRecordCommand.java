package dev.kymo.cli.machine;

import dev.kymo.cli.record.AtFull;
import dev.kymo.cli.record.InstructionCount;
import dev.kymo.cli.record.RecordCommand;
import dev.kymo.cli.record.RedactOptions;
import dev.kymo.cli.words.DiskSizeConverter;
import dev.kymo.cli.words.DurationConverter;
import dev.kymo.format.Redaction;
import dev.kymo.session.UsageException;
import dev.kymo.session.machine.InitialFiles;
import dev.kymo.session.machine.KernelFaults;
import dev.kymo.session.machine.MachineFiles;
import dev.kymo.session.machine.MachineHome;
import dev.kymo.session.machine.MachinePlaces;
import dev.kymo.session.machine.MachinePreparation;
import dev.kymo.session.machine.MachineRun;
import dev.kymo.session.run.Room;
import dev.kymo.session.system.Inherited;
import dev.kymo.session.system.LinuxCalls;
import dev.kymo.session.system.ProgramFile;
import dev.kymo.session.system.Timings;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code kymo machine record}: boots a kernel with one program, and records both. */
@Command(
    name = "record",
    mixinStandardHelpOptions = true,
    description =
        "Boots a kernel in QEMU that runs one command, and records every instruction of both.",
    customSynopsis = "kymo machine record [options] [--] COMMAND [ARGUMENT]...",
    footer = {
      "",
      "The machine has the program, its libraries, the files that its arguments name",
      "and those of --file, at the same places as here. The program runs as root, has",
      "no network, no disk and no standard input; what it writes to files is lost."
    })
public final class MachineRecordCommand implements Callable<Integer> {
  @Option(
      names = {"-o", "--output"},
      paramLabel = "NAME.kymo",
      description = "Directory to create; default: PROGRAM-DATE-TIME.kymo.")
  private @Nullable String output;

  @Option(
      names = "--kernel",
      paramLabel = "VMLINUZ",
      description = "A kernel of your own, with BTF; default: Debian's for virtual machines.")
  private @Nullable Path kernel;

  @Option(
      names = "--file",
      paramLabel = "PATH",
      description = "A file or directory that the program reads; may be repeated.")
  private List<Path> files = new ArrayList<>();

  @Option(
      names = "--memory",
      paramLabel = "SIZE",
      converter = DiskSizeConverter.class,
      description = "The machine's memory; default: 256M and three times what its files have.")
  private long memory;

  @Option(
      names = "--start-at",
      paramLabel = "PLACE",
      description =
          "Record from here on: program, when the command is started; marker, a begin marker in"
              + " it; a function of the program or the kernel; NAME#N: when it comes there the N-th"
              + " time; or the number of an instruction; default: from the machine's first one.")
  private @Nullable String startAt;

  @Option(
      names = "--stop-at",
      paramLabel = "PLACE",
      description = "Record up to there: a function or a number, likewise; the machine runs on.")
  private @Nullable String stopAt;

  enum StopOn {
    fault
  }

  @Option(
      names = "--stop-on",
      paramLabel = "WHAT",
      description =
          "fault: stop at the first exception that the kernel makes a signal of, or that it cannot"
              + " handle itself; the machine runs on.")
  private @Nullable StopOn stopOn;

  @Option(
      names = "--keep",
      paramLabel = "N",
      converter = InstructionCount.class,
      description =
          "Keep the last N instructions only, for instance 10M; some more, because whole chunks are"
              + " kept.")
  private @Nullable Long keep;

  @Option(
      names = "--max-size",
      paramLabel = "SIZE",
      defaultValue = "4G",
      converter = DiskSizeConverter.class,
      description = "Maximum size on disk, or none; see --at-full; default: ${DEFAULT-VALUE}.")
  private long maxSize;

  @Option(
      names = "--at-full",
      paramLabel = "MODE",
      defaultValue = "stop",
      description =
          "What happens at --max-size: stop recording, while the program runs on, or overwrite the"
              + " oldest instructions; default: ${DEFAULT-VALUE}.")
  private AtFull atFull = AtFull.stop;

  @Option(
      names = "--max-time",
      paramLabel = "TIME",
      converter = DurationConverter.class,
      description =
          "End the machine after this time, for instance 10m, if it has not ended; what it did until"
              + " then is kept; default: never.")
  private Duration maxTime = Duration.ZERO;

  @Mixin private RedactOptions redact;

  @Option(
      names = {"-q", "--quiet"},
      description = "Write no closing line on standard error.")
  private boolean quiet;

  @Option(names = "--timings", hidden = true, description = "Say what Kymo's own parts take.")
  private boolean timings;

  @Parameters(
      paramLabel = "COMMAND",
      description = "Command to run, followed by its arguments.",
      parameterConsumer = RecordCommand.Rest.class)
  private List<String> command = List.of();

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (command.isEmpty()) {
      throw new UsageException("nothing to record: give a command");
    }
    Room room = Room.of(maxSize, atFull == AtFull.overwrite, keep == null ? 0 : keep);
    Redaction redaction = redact.redaction();
    LinuxCalls.useLibrary();
    Map<String, String> environment = Inherited.find().environment();
    InitialFiles initial =
        MachineFiles.collect(command, files, MachinePreparation.init(), environment);
    Timings.end("files found");
    MachineHome home = MachineHome.of(environment);
    MachineHome.Kernel prepared = MachinePreparation.prepare(home, kernel);
    MachinePlaces places = new MachinePlaces(startAt, stopAt);
    Path program = ProgramFile.find(command.getFirst(), environment).path();
    String plugin =
        places.arguments(program, prepared)
            + (stopOn == null ? "" : KernelFaults.arguments(prepared));
    String name = output == null ? RecordCommand.defaultOutput(command.getFirst()) : output;
    int code =
        new MachineRun(
                home,
                prepared,
                new MachineRun.Settings(
                    Path.of(name),
                    memory,
                    room,
                    places.marker(),
                    plugin,
                    maxTime,
                    quiet,
                    redaction))
            .run(command, initial);
    if (timings) {
      Timings.lines().forEach(System.err::println);
    }
    return code;
  }
}
