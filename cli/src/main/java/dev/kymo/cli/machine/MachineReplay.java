package dev.kymo.cli.machine;

import dev.kymo.cli.record.InstructionDraining;
import dev.kymo.cli.record.InstructionEnding;
import dev.kymo.cli.system.Signals;
import dev.kymo.cli.terminal.ExitCode;
import dev.kymo.cli.terminal.OutputFile;
import dev.kymo.cli.terminal.Terminal;
import dev.kymo.cli.terminal.UsageException;
import dev.kymo.format.InstructionLayout;
import dev.kymo.instructions.InstructionCompletion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs a recorded machine once more. */
final class MachineReplay {
  private static final long LOOK_MILLIS = 100;

  /** A replay that uses no processor for so long waits for what will not come. */
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** QEMU's exit code when the machine's first program ends it. */
  private static final int ENDED = 1;

  private final MachineHome home;
  private final Path traces;

  MachineReplay(MachineHome home, Path recording) {
    this.home = home;
    this.traces = recording.resolve(InstructionLayout.DIRECTORY).toAbsolutePath().normalize();
  }

  /**
   * Adds the registers before each instruction of a range.
   *
   * @param from number of the first one
   * @param to number of the one to end before
   * @return at how many instructions they were added; 0 if the machine did not come so far
   * @throws UsageException if it is no recording of a machine
   */
  long registers(long from, long to) throws IOException, InterruptedException {
    Path library = Preparation.installed(MachineRun.PLUGIN);
    RecordedMachine machine = RecordedMachine.read(traces);
    Path work = Files.createTempDirectory(traces, "replaying-");
    try {
      Path written = InstructionCompletion.prepare(work, 0);
      String plugin =
          "%s,places=%s,from=%d,to=%d%s"
              .formatted(
                  InstructionEnding.plugin(library, written),
                  InstructionEnding.quoted(machine.kernel(home).places()),
                  from,
                  to,
                  machine.startArgument());
      InstructionDraining draining = new InstructionDraining(written);
      try (draining) {
        run(words(machine, plugin), work.resolve("errors"));
      }
      draining.sayFailure();
      return keep(written);
    } finally {
      OutputFile.delete(work);
    }
  }

  /**
   * Has somebody else's plugin look at the machine.
   *
   * @param option as QEMU takes it
   * @return QEMU's exit code, if it is not the one with which machines end
   * @throws UsageException if it is no recording of a machine
   */
  int plugin(String option) throws IOException, InterruptedException {
    RecordedMachine machine = RecordedMachine.read(traces);
    Path errors = Files.createTempFile("kymo-machine-", ".errors");
    try {
      int code = run(words(machine, option), errors);
      return code == ENDED ? ExitCode.OK : code;
    } finally {
      Files.delete(errors);
    }
  }

  private List<String> words(RecordedMachine machine, String plugin) {
    QemuOptions options =
        new QemuOptions(
            machine.kernel(home).file().toString(),
            traces.resolve(MachineRun.FILES).toString(),
            machine.megabytes());
    List<String> words =
        options.replayed(InstructionEnding.quoted(traces.resolve(MachineRun.REPLAY)));
    words.addAll(List.of("-plugin", plugin));
    return words;
  }

  /** Takes over what was written, under the next free name. */
  private long keep(Path written) throws IOException {
    Path registers = written.resolve("p1-thread-1");
    if (!Files.exists(registers)) {
      return 0;
    }
    int number = 1;
    while (Files.exists(traces.resolve("registers-" + number))) {
      number++;
    }
    Path kept = Files.move(registers, traces.resolve("registers-" + number));
    return InstructionCompletion.instructions(kept);
  }

  private int run(List<String> words, Path errors) throws IOException, InterruptedException {
    Process process = home.start(words, errors);
    try (Signals _ = Signals.onEndBy(number -> process.destroy())) {
      if (!await(process)) {
        process.destroyForcibly().waitFor();
        Terminal.say("the replay makes no progress, and was ended");
      }
    }
    String said = Files.readString(errors);
    if (!said.isBlank()) {
      Terminal.say("QEMU says: " + HostProgram.last(said));
    }
    return process.exitValue();
  }

  private static boolean await(Process process) throws InterruptedException {
    Duration used = Duration.ZERO;
    long since = System.nanoTime();
    while (!process.waitFor(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
      Duration now = process.info().totalCpuDuration().orElse(Duration.ZERO);
      if (now.compareTo(used) > 0) {
        used = now;
        since = System.nanoTime();
      } else if (System.nanoTime() - since > PATIENCE.toNanos()) {
        return false;
      }
    }
    return true;
  }
}
