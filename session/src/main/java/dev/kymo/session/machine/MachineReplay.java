package dev.kymo.session.machine;

import dev.kymo.format.InstructionLayout;
import dev.kymo.instructions.completion.InstructionCompletion;
import dev.kymo.session.ExitCode;
import dev.kymo.session.OutputFile;
import dev.kymo.session.StandardError;
import dev.kymo.session.UsageException;
import dev.kymo.session.run.InstructionDraining;
import dev.kymo.session.run.InstructionEnding;
import dev.kymo.session.system.Signals;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** Runs a recorded machine once more. */
public final class MachineReplay {
  private static final long LOOK_MILLIS = 100;

  /** A replay that uses no processor for so long waits for what will not come. */
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** Somebody sits before it. */
  private static final Duration FOREVER = Duration.ofNanos(Long.MAX_VALUE);

  /** QEMU's exit code when the machine's first program ends it. */
  private static final int ENDED = 1;

  /** Its exit codes when that does, the plugin has seen enough, or somebody ends it. */
  private static final Set<Integer> ENDS = Set.of(ENDED, ExitCode.OK, 128 + 15);

  private final MachineHome home;
  private final Path traces;

  public MachineReplay(MachineHome home, Path recording) {
    this.home = home;
    this.traces = recording.resolve(InstructionLayout.DIRECTORY).toAbsolutePath().normalize();
  }

  /**
   * What is added to a recording.
   *
   * @param from number of the first instruction that is looked at
   * @param to number of the one to end before
   * @param registers whether the registers at each instruction are
   * @param memory whether the accesses of each instruction are
   * @param ready whether it is, which threads are ready to run at each switch
   * @param places where data is wanted
   */
  public record Details(
      long from,
      long to,
      boolean registers,
      boolean memory,
      boolean ready,
      List<ReplayPlace> places) {
    /** As arguments of the plugin. */
    String arguments() {
      return ",from=%d,to=%d%s%s%s%s"
          .formatted(
              from,
              to,
              registers ? ",registers=on" : "",
              memory ? ",memory=on" : "",
              ready ? ",ready=on" : "",
              places.stream().map(ReplayPlace::arguments).collect(Collectors.joining()));
    }

    /** As lines beside the file of data. */
    String lines() {
      return places.stream().map(ReplayPlace::lines).collect(Collectors.joining());
    }
  }

  /** A kind of file that replays add, and the number under which the plugin writes it. */
  private enum Kind {
    REGISTERS(1, "the registers at %s instructions"),
    MEMORY(2, "%s accesses to memory"),
    DATA(3, "data at %s moments");

    private final String written;
    private final String sentence;

    Kind(int number, String sentence) {
      this.written = "p1-thread-" + number;
      this.sentence = sentence;
    }
  }

  /**
   * Adds details of a range.
   *
   * @return what was added, {@code the registers at 100 instructions}; empty if the machine did not
   *     come so far, or there was nothing
   * @throws UsageException if it is no recording of a machine
   */
  public String add(Details details) throws IOException, InterruptedException {
    Path library = MachinePreparation.installed(MachineRun.PLUGIN);
    RecordedMachine machine = RecordedMachine.read(traces);
    Path work = Files.createTempDirectory(traces, "replaying-");
    try {
      Path written = InstructionCompletion.prepare(work, 0);
      String plugin =
          "%s,places=%s%s%s"
              .formatted(
                  InstructionEnding.plugin(library, written),
                  InstructionEnding.quoted(machine.kernel(home).places()),
                  machine.startArgument(),
                  details.arguments());
      InstructionDraining draining = new InstructionDraining(written);
      try (draining) {
        int code =
            run(words(machine, List.of("-plugin", plugin)), work.resolve("errors"), PATIENCE);
        if (!ENDS.contains(code)) {
          StandardError.say("QEMU has failed: exit=" + code);
        }
      }
      draining.sayFailure();
      List<String> added = new ArrayList<>();
      for (Kind kind : Kind.values()) {
        long records = keep(written, kind, details.lines());
        if (records > 0) {
          added.add(kind.sentence.formatted("%,d".formatted(records).replace(',', ' ')));
        }
      }
      return String.join(", ", added);
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
  public int plugin(String option) throws IOException, InterruptedException {
    return look(List.of("-plugin", option), PATIENCE);
  }

  /**
   * Has gdb look at the machine, which waits for it.
   *
   * @param socket path of the socket to make
   * @return as {@link #plugin}
   */
  public int gdb(Path socket) throws IOException, InterruptedException {
    Path path = socket.toAbsolutePath().normalize();
    if (Files.exists(path)) {
      throw new UsageException("there is a file already: --gdb " + socket);
    }
    StandardError.say(
        "the machine waits for gdb: gdb -ex \"set architecture i386:x86-64\" -ex \"target remote %s\""
            .formatted(path));
    try {
      return look(
          List.of(
              "-gdb",
              "unix:path=%s,server=on,wait=off".formatted(InstructionEnding.quoted(path)),
              "-S"),
          FOREVER);
    } finally {
      Files.deleteIfExists(path);
    }
  }

  private int look(List<String> options, Duration patience)
      throws IOException, InterruptedException {
    RecordedMachine machine = RecordedMachine.read(traces);
    Path errors = Files.createTempFile("kymo-machine-", ".errors");
    try {
      int code = run(words(machine, options), errors, patience);
      return code == ENDED ? ExitCode.OK : code;
    } finally {
      Files.delete(errors);
    }
  }

  private List<String> words(RecordedMachine machine, List<String> options) {
    QemuOptions of =
        new QemuOptions(
            machine.kernel(home).file().toString(),
            traces.resolve(MachineRun.FILES).toString(),
            machine.megabytes());
    List<String> words = of.replayed(InstructionEnding.quoted(traces.resolve(MachineRun.REPLAY)));
    words.addAll(options);
    return words;
  }

  /** Takes over what was written, under the next free name; returns how many records it has. */
  private long keep(Path written, Kind kind, String lines) throws IOException {
    Path added = written.resolve(kind.written);
    if (!Files.exists(added)) {
      return 0;
    }
    String name = kind.name().toLowerCase(Locale.ROOT) + "-";
    int number = 1;
    while (Files.exists(traces.resolve(name + number))) {
      number++;
    }
    if (kind == Kind.DATA) {
      Files.writeString(traces.resolve(name + number + ".places"), lines);
    }
    return InstructionCompletion.records(Files.move(added, traces.resolve(name + number)));
  }

  private int run(List<String> words, Path errors, Duration patience)
      throws IOException, InterruptedException {
    Process process = home.start(words, errors);
    try (Signals _ = Signals.onEndBy(number -> process.destroy())) {
      if (!await(process, patience)) {
        process.destroyForcibly().waitFor();
        StandardError.say("the replay makes no progress, and was ended");
      }
    }
    String said = Files.readString(errors);
    if (!said.isBlank()) {
      StandardError.say("QEMU says: " + HostProgram.last(said));
    }
    return process.exitValue();
  }

  private static boolean await(Process process, Duration patience) throws InterruptedException {
    Duration used = Duration.ZERO;
    long since = System.nanoTime();
    while (!process.waitFor(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
      Duration now = process.info().totalCpuDuration().orElse(Duration.ZERO);
      if (now.compareTo(used) > 0) {
        used = now;
        since = System.nanoTime();
      } else if (System.nanoTime() - since > patience.toNanos()) {
        return false;
      }
    }
    return true;
  }
}
