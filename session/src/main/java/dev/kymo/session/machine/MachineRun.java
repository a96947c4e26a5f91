package dev.kymo.session.machine;

import dev.kymo.drain.RecordingDirectory;
import dev.kymo.format.Redaction;
import dev.kymo.instructions.completion.InstructionCompletion;
import dev.kymo.session.ExitCode;
import dev.kymo.session.OutputFile;
import dev.kymo.session.StandardError;
import dev.kymo.session.UsageException;
import dev.kymo.session.run.InstructionDraining;
import dev.kymo.session.run.InstructionEnding;
import dev.kymo.session.run.RecorderLock;
import dev.kymo.session.run.Room;
import dev.kymo.session.system.CommandEnd;
import dev.kymo.session.system.RawText;
import dev.kymo.session.system.Timings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Boots a machine that runs one command, and records every instruction of it. */
public final class MachineRun {
  static final String PLUGIN = "libkymo-machine.so";
  static final String REPLAY = "replay.rr";
  static final String FILES = "initrd";
  private static final int BY_SIGNAL = 128;
  private static final int MEGABYTE = 20;

  /** What the kernel has for itself and for programs. */
  private static final long USUAL_MEMORY = 256;

  /** With less than that beside the files, the kernel does not come to them. */
  private static final long LEAST_MEMORY = 160;

  /**
   * The kernel has each file twice for a moment, and gives only half of its memory, without the
   * first copies, to its file system.
   */
  private static final int COPIES = 3;

  private static final String UNPACKING_FAILED = "Initramfs unpacking failed";

  private final MachineHome home;
  private final MachineHome.Kernel kernel;
  private final Settings settings;

  /**
   * What a recording is to be.
   *
   * @param output directory to create
   * @param memory bytes of the machine's memory; 0 = as much as it needs
   * @param room how much of it is kept
   * @param start number of the marker at which it begins; 0: with the machine
   * @param places arguments of the plugin: where it begins and ends otherwise
   * @param time after which the machine is ended; 0 = any
   * @param quiet whether only what goes wrong is said
   * @param redaction what is left out of command lines
   */
  public record Settings(
      Path output,
      long memory,
      Room room,
      long start,
      String places,
      Duration time,
      boolean quiet,
      Redaction redaction) {}

  public MachineRun(MachineHome home, MachineHome.Kernel kernel, Settings settings) {
    this.home = home;
    this.kernel = kernel;
    this.settings = settings;
  }

  /**
   * Runs it.
   *
   * @return the command's exit code, as a shell has it
   */
  public int run(List<String> words, InitialFiles files) throws IOException, InterruptedException {
    Path library = MachinePreparation.installed(PLUGIN);
    long megabytes = megabytes(files.bytes());
    RecordingDirectory.make(settings.output);
    try (RecorderLock _ = RecorderLock.hold(settings.output)) {
      return run(words, files, library, megabytes);
    }
  }

  private int run(List<String> words, InitialFiles files, Path library, long megabytes)
      throws IOException, InterruptedException {
    Path output = settings.output;
    Path traces = InstructionCompletion.prepare(output, settings.room.limit()).toAbsolutePath();
    Path console = traces.resolve("console");
    RecordedMachine recorded = new RecordedMachine(kernel.hash(), megabytes, settings.start);
    try {
      files.write(traces.resolve(FILES));
      recorded.write(traces);
    } catch (IOException e) {
      OutputFile.delete(output);
      throw e;
    }
    String plugin =
        InstructionEnding.plugin(library, traces)
            + ",places="
            + InstructionEnding.quoted(kernel.places())
            + recorded.startArgument()
            + settings.places;
    QemuOptions options =
        new QemuOptions(kernel.file().toString(), traces.resolve(FILES).toString(), megabytes);
    Timings.end("files written");
    Instant now = Instant.now();
    QemuRun.Outcome outcome;
    InstructionDraining draining = new InstructionDraining(traces, settings.room.kept());
    try (draining) {
      outcome =
          new QemuRun(home, console, QemuRun.Patience.ANY, settings.time)
              .run(
                  (pipe, memory) ->
                      options.recorded(console, pipe, memory, traces.resolve(REPLAY), plugin),
                  new PassedOutput());
    }
    Timings.end("machine ended");
    draining.sayFailure();
    sayIfIncomplete(console);
    int exit = exit(outcome, console);
    String shown = RawText.joined(words);
    if (!hasBegun(traces)) {
      OutputFile.delete(output);
      StandardError.say("nothing recorded: QEMU could not begin: " + settings.redaction.of(shown));
      return exit == ExitCode.OK ? ExitCode.FAILED : exit;
    }
    InstructionEnding.Recorded whole =
        new InstructionEnding.Recorded(
            output, shown, now, kernel.symbols(), List.of(), settings.redaction);
    if (InstructionEnding.complete(whole, settings.quiet) == 0) {
      StandardError.say("no instruction was recorded, the machine did not come to --start-at");
    }
    return exit;
  }

  /** Whether the plugin has written anything. */
  private static boolean hasBegun(Path traces) throws IOException {
    try (DirectoryStream<Path> facts = Files.newDirectoryStream(traces, "*-facts")) {
      return facts.iterator().hasNext();
    }
  }

  private static void sayIfIncomplete(Path console) throws IOException {
    if (Files.exists(console)
        && Files.readString(console, StandardCharsets.ISO_8859_1).contains(UNPACKING_FAILED)) {
      StandardError.say("the machine did not get all of its files, it needs more: see --memory");
    }
  }

  private long megabytes(long bytes) {
    long copies = COPIES * ((bytes >> MEGABYTE) + 1);
    if (settings.memory == 0) {
      return USUAL_MEMORY + copies;
    }
    long given = settings.memory >> MEGABYTE;
    if (given < LEAST_MEMORY + copies) {
      throw new UsageException(
          "the machine needs more memory for its files: memory=%dM least=%dM"
              .formatted(given, LEAST_MEMORY + copies));
    }
    return given;
  }

  private static int exit(QemuRun.Outcome outcome, Path console) throws IOException {
    if (outcome.status().isPresent()) {
      return CommandEnd.of(outcome.status().getAsInt()).exit();
    }
    if (outcome.signal() != 0) {
      return BY_SIGNAL + outcome.signal();
    }
    String reason = outcome.failure() == null ? "" : " error=\"" + outcome.failure() + "\"";
    StandardError.say(
        "the machine ended before the program did:%s kernel=\"%s\""
            .formatted(reason, KernelLearning.last(console)));
    return ExitCode.FAILED;
  }
}
