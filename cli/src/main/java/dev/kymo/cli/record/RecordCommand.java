package dev.kymo.cli.record;

import dev.kymo.cli.network.SpoolOptions;
import dev.kymo.cli.words.DurationConverter;
import dev.kymo.cli.words.SizeConverter;
import dev.kymo.drain.ClockCalibration;
import dev.kymo.drain.options.Defaults;
import dev.kymo.format.RingLayout;
import dev.kymo.recorder.Session;
import dev.kymo.session.UsageException;
import dev.kymo.session.network.Delivery;
import dev.kymo.session.network.Sending;
import dev.kymo.session.run.AttachRun;
import dev.kymo.session.run.CommandRun;
import dev.kymo.session.run.Console;
import dev.kymo.session.run.InstructionRun;
import dev.kymo.session.run.NativeProgram;
import dev.kymo.session.run.Preload;
import dev.kymo.session.run.RecordingOptions;
import dev.kymo.session.run.RecordingRun;
import dev.kymo.session.run.Room;
import dev.kymo.session.system.AgentJar;
import dev.kymo.session.system.CommandEnd;
import dev.kymo.session.system.Inherited;
import dev.kymo.session.system.JavaVersion;
import dev.kymo.session.system.LinuxCalls;
import dev.kymo.session.system.ProgramFile;
import dev.kymo.session.system.RawText;
import dev.kymo.session.system.Spawn;
import dev.kymo.session.system.Timings;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Stack;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.IParameterConsumer;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code kymo record}: runs a command, or attaches to a process, and records the JVMs in it. */
@Command(
    name = "record",
    mixinStandardHelpOptions = true,
    description =
        "Records a command that runs Java or is a native program, or a Java process that is"
            + " already running.",
    customSynopsis = {
      "kymo record [options] [--] COMMAND [ARGUMENT]...",
      "       kymo record [options] --pid PID"
    },
    footer = {
      "",
      "Patterns name classes, or methods as CLASS#METHOD. '*' stands for any part of",
      "a name, '**' also across packages; a name without '*' includes everything",
      "below it. Without --include all classes of the program are recorded, not the",
      "JDK's. Methods that are smaller than --min-size and neither call nor loop are",
      "left out, because their probes would cost more than they do."
    })
public final class RecordCommand implements Callable<Integer> {
  @Option(
      names = {"-o", "--output"},
      paramLabel = "NAME.kymo",
      description =
          "Directory to create, or - to print the events on standard output while they are recorded;"
              + " the command's own output then goes to standard error; default:"
              + " PROGRAM-DATE-TIME.kymo.")
  private @Nullable String output;

  @Option(
      names = "--pid",
      paramLabel = "PID",
      description = "Record this process, which is already running.")
  private @Nullable Long pid;

  @Option(
      names = "--duration",
      paramLabel = "TIME",
      converter = DurationConverter.class,
      description =
          "How long to record, for instance 10s, from the start or from --start-on; a command runs"
              + " on. Default: until it ends, or Ctrl-C.")
  private @Nullable Duration duration;

  enum WhenFull {
    discard(RingLayout.DISCARD),
    block(RingLayout.BLOCK),
    overwrite(RingLayout.OVERWRITE);

    final int code;

    WhenFull(int code) {
      this.code = code;
    }
  }

  @Option(
      names = "--when-full",
      paramLabel = "MODE",
      defaultValue = "discard",
      description =
          "When a thread's buffer is full: discard new events and count them, block the thread"
              + " until there is room, or overwrite the oldest events; default: ${DEFAULT-VALUE}.")
  private WhenFull whenFull = WhenFull.discard;

  @Option(
      names = "--buffer",
      paramLabel = "SIZE",
      defaultValue = Defaults.BUFFER,
      converter = SizeConverter.class,
      description =
          "Size of the shared memory for each thread, 128K to 1G; with many threads each new one"
              + " gets less; default: ${DEFAULT-VALUE}.")
  private int buffer;

  @Mixin private DiskOptions disk;

  @Mixin private SpoolOptions spool;

  @Mixin private ConsoleOptions console;

  @Mixin private RedactOptions redact;

  @Mixin private ClockOption clock;

  /** Whether to record something that costs. */
  enum Wanted {
    auto(Session.AUTO),
    on(Session.ON),
    off(Session.OFF);

    final String code;

    Wanted(String code) {
      this.code = code;
    }
  }

  @Option(
      names = "--waits",
      paramLabel = "WHEN",
      defaultValue = "auto",
      description =
          "Record what threads wait for: on, off, or auto: monitors and sleeps from the beginning,"
              + " locks and parks from when it fits the budget; default: ${DEFAULT-VALUE}.")
  private Wanted waits = Wanted.auto;

  @Option(
      names = "--jvm-events",
      paramLabel = "WHEN",
      defaultValue = "auto",
      description =
          "Record what the virtual machine does: on, off, or auto, only the pauses of its collector;"
              + " on runs the flight recorder in the program, which also knows starts of threads,"
              + " and who let a thread go on; default: ${DEFAULT-VALUE}.")
  private Wanted jvmEvents = Wanted.auto;

  @Mixin private MethodOptions methods;

  @Mixin private KernelArguments kernel;

  @Mixin private UserEventOptions events;

  @Mixin private SnapshotOptions snapshots;

  @Mixin private ThreadOptions threads;

  @Option(
      names = "--messages",
      description =
          "Record which bytes of which connection each call writes or reads, for TCP and Unix"
              + " sockets of Java and native programs, and who sent them to whom; in Java also requests"
              + " of HTTP and statements of JDBC.")
  private boolean messages;

  @Option(
      names = "--instructions",
      description =
          "Record each instruction of a program for x86-64 and of those that it starts: the program"
              + " runs in QEMU, some 5 times slower (package qemu-user).")
  private boolean instructions;

  @Option(
      names = "--start-at",
      paramLabel = "PLACE",
      description =
          "With --instructions: begin at a function of the program, or at 'marker', which is"
              + " kymo_instructions(KYMO_BEGIN) in its source; NAME#N: when it comes there the N-th"
              + " time; a number: at the instruction that has it, in each thread.")
  private @Nullable String startAt;

  @Option(
      names = "--stop-at",
      paramLabel = "PLACE",
      description =
          "With --instructions: end there, likewise; 'marker' is kymo_instructions(KYMO_END).")
  private @Nullable String stopAt;

  @Option(
      names = "--keep",
      paramLabel = "N",
      converter = InstructionCount.class,
      description =
          "With --instructions: keep the last N instructions only, for instance 10M; some more,"
              + " because whole chunks are kept.")
  private @Nullable Long keep;

  @Option(names = "--strict", description = "End the program at a fault of the agent; for tests.")
  private boolean strict;

  @Option(
      names = {"-v", "--verbose"},
      description = "Report which classes are recorded, and what has woven them: C or ASM.")
  private boolean verbose;

  @Option(
      names = {"-q", "--quiet"},
      description = "Write no closing line on standard error.")
  private boolean quiet;

  @Option(
      names = "--no-index",
      description =
          "Leave the index to the first kymo view; otherwise a large recording is indexed in the"
              + " background.")
  private boolean noIndex;

  @Option(names = "--timings", hidden = true, description = "Say what Kymo's own parts take.")
  private boolean timings;

  @Parameters(
      paramLabel = "COMMAND",
      description = "Command to run, followed by its arguments.",
      parameterConsumer = Rest.class)
  private List<String> command = List.of();

  /** Everything from the command on belongs to the command, also what looks like an option. */
  public static final class Rest implements IParameterConsumer {
    @Override
    public void consumeParameters(Stack<String> rest, ArgSpec parameters, CommandSpec command) {
      List<String> words = new ArrayList<>();
      while (!rest.isEmpty()) {
        words.add(rest.pop());
      }
      parameters.setValue(words);
    }
  }

  /** Runs the first steps of a recording once, because the first time is slow. */
  public static void prepare() {
    Spawn.prepare();
    try {
      AgentJar.find();
      Inherited inherited = Inherited.find();
      ProgramFile program = ProgramFile.find("true", inherited.environment());
      JavaVersion.agentOption(program.path());
      Object _ =
          new ClockCalibration(
              ClockCalibration.best(JavaVersion.oldestOf(program.path(), inherited.environment())));
    } catch (IOException | RuntimeException e) {
      // the real attempt reports it
    }
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    Timings.end("options read");
    check();
    LinuxCalls.useLibrary();
    boolean taken = isPrinted() || spool.isToOutput();
    Inherited inherited = taken ? Inherited.find().withOutputToError() : Inherited.find();
    CommandEnd ending =
        instructions
            ? runForInstructions(inherited)
            : pid == null ? run(inherited) : attach(pid, inherited);
    Timings.end("recording closed");
    if (timings) {
      Timings.lines().forEach(System.err::println);
    }
    return ending.pass();
  }

  private CommandEnd run(Inherited inherited) throws IOException, InterruptedException {
    Map<String, String> environment = inherited.environment();
    ProgramFile program = ProgramFile.find(command.getFirst(), environment);
    String words = RawText.joined(command);
    int java = oldestJava(program.path(), environment);
    try (Console printed = printed();
        RecordingRun run = RecordingRun.start(options(words, java, environment, printed))) {
      return new CommandRun(run, command, preloaded(), inherited).run(program);
    }
  }

  private @Nullable Console printed() throws IOException {
    return isPrinted() ? Console.make(console.words(), spool.size()) : null;
  }

  private Preload.Library preloaded() {
    return Preload.Library.of(threads.isOn(), messages);
  }

  private CommandEnd runForInstructions(Inherited inherited)
      throws IOException, InterruptedException {
    Path directory = Path.of(output == null ? defaultOutput() : output);
    String words = RawText.joined(command);
    InstructionRun.Places places =
        new InstructionRun.Places(startAt, stopAt, events.stopsAtFault());
    Room room = disk.room(keep == null ? 0 : keep);
    return new InstructionRun(directory, places, room, quiet, redact.redaction(), inherited)
        .run(command, words, AgentJar.find());
  }

  private CommandEnd attach(long process, Inherited inherited)
      throws IOException, InterruptedException {
    try (Console printed = printed()) {
      RecordingOptions options =
          options("--pid " + process, javaOf(process), inherited.environment(), printed);
      return new CommandEnd(new AttachRun(options, process, duration).run(), 0);
    }
  }

  private RecordingOptions options(
      String words, int java, Map<String, String> environment, @Nullable Console printed)
      throws IOException {
    Path agent = AgentJar.find();
    Path directory =
        printed != null ? printed.recording() : Path.of(output == null ? defaultOutput() : output);
    String name = String.valueOf(directory.getFileName());
    Delivery delivery = spool.delivery();
    RecordingOptions options =
        new RecordingOptions(
            new RecordingOptions.Program(
                words, agent, clock.name(java, kernel.areAsked()), redact.redaction()),
            new RecordingOptions.Target(
                delivery == null ? directory : delivery.directory(directory),
                disk.limit(),
                !noIndex,
                delivery,
                output == null && delivery != null ? Sending.defaultName(name) : name,
                printed),
            new Session.Buffers(buffer, spool.whenFull(whenFull.code)),
            methods.methods(environment),
            new RecordingOptions.Events(
                waits.code,
                jvmEvents.code,
                events.options(nanos(), threads.disabled()),
                snapshots.rules(),
                kernel.options(),
                messages),
            new RecordingOptions.Manner(strict, verbose, quiet));
    Timings.end("program looked at");
    return options;
  }

  /** A native process can read any clock. */
  private static int javaOf(long process) {
    return AttachRun.isJava(process) ? JavaVersion.ofProcess(process) : Runtime.version().feature();
  }

  private void check() {
    if (pid == null && command.isEmpty()) {
      throw new UsageException("nothing to record: give a command, or --pid");
    }
    if (pid != null && !command.isEmpty()) {
      throw new UsageException("give either a command or --pid, not both");
    }
    boolean flightRecorder = whenFull == WhenFull.overwrite;
    if (instructions) {
      checkInstructions(flightRecorder);
    } else if (startAt != null || stopAt != null || keep != null) {
      throw new UsageException("--start-at, --stop-at and --keep go with --instructions");
    }
    kernel.check(flightRecorder);
    if (threads.isOn() && pid != null) {
      throw new UsageException(
          "--threads goes with a command: nothing can be preloaded into a process that runs");
    }
    if (messages && pid != null && !AttachRun.isJava(pid)) {
      throw new UsageException(
          "--messages of a native program goes with a command: nothing can be preloaded into a"
              + " process that runs");
    }
    events.check(flightRecorder);
    snapshots.check(flightRecorder);
    disk.check(flightRecorder, kernel.areAsked());
    spool.check(flightRecorder, instructions, isPrinted());
    console.check(isPrinted(), unprintable(flightRecorder));
    if (output != null && !RawText.isText(output)) {
      throw new UsageException(
          "name of the recording is not UTF-8: path=%s; choose another with -o, or change into its directory"
              .formatted(RawText.shown(output)));
    }
    methods.check();
  }

  /** Whether events are printed instead of kept. */
  private boolean isPrinted() {
    return ConsoleOptions.OUTPUT.equals(output);
  }

  /** What was asked for and is not there to be printed while it is recorded. */
  private List<String> unprintable(boolean flightRecorder) {
    List<String> asked = new ArrayList<>();
    if (spool.isOn()) {
      asked.add("--to");
    }
    if (instructions) {
      asked.add("--instructions");
    }
    if (kernel.areAsked()) {
      asked.add("kernel events");
    }
    if (flightRecorder) {
      asked.add("--when-full overwrite");
    }
    if (disk.dropsOldest()) {
      asked.add("--at-full overwrite");
    }
    return asked;
  }

  private void checkInstructions(boolean flightRecorder) {
    refuseWithInstructions(pid != null, "--pid");
    refuseWithInstructions(duration != null, "--duration");
    refuseWithInstructions(threads.isOn(), "--threads");
    refuseWithInstructions(messages, "--messages");
    refuseWithInstructions(kernel.areAsked(), "kernel events");
    refuseWithInstructions(flightRecorder, "--when-full overwrite");
    refuseWithInstructions(disk.dropsFiles(), "--files");
    refuseWithInstructions(disk.isFlushed(), "--flush");
    boolean _ = events.stopsAtFault(); // refuses what is none
  }

  private static void refuseWithInstructions(boolean asked, String what) {
    if (asked) {
      throw new UsageException("--instructions does not go with " + what);
    }
  }

  /** How long a command is recorded; an attached process is left after its time instead. */
  private long nanos() {
    return duration == null || pid != null ? 0 : duration.toNanos();
  }

  /**
   * A native program is not expected to start a Java that is older than this one, unless that is
   * its work. Of those whose messages are recorded this is not known: they may start both ends.
   */
  private int oldestJava(Path program, Map<String, String> environment) {
    boolean alone =
        preloaded() == Preload.Library.THREADS
            && NativeProgram.isMachineCode(program)
            && !NativeProgram.startsAnother(program);
    return NativeProgram.isNative(program) || alone
        ? Runtime.version().feature()
        : JavaVersion.oldestOf(program, environment);
  }

  private String defaultOutput() {
    return defaultOutput(pid != null ? "pid-" + pid : command.getFirst());
  }

  /** The name of a recording that was given none: that of its program, and the time. */
  public static String defaultOutput(String command) {
    String first = RawText.shown(command).replace('\\', '_');
    String when =
        LocalDateTime.now(ZoneId.systemDefault())
            .format(DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss"));
    return first.substring(first.lastIndexOf('/') + 1) + "-" + when + ".kymo";
  }
}
