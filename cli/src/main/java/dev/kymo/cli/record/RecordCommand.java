package dev.kymo.cli;

import dev.kymo.format.Clock;
import dev.kymo.format.RingLayout;
import dev.kymo.recorder.MemoryFile;
import dev.kymo.recorder.Session;
import dev.kymo.recorder.drain.ClockCalibration;
import dev.kymo.recorder.drain.Drainer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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
        "Records a command that runs Java, or is a native program, or a Java process that runs"
            + " already.",
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
final class RecordCommand implements Callable<Integer> {
  @Option(
      names = {"-o", "--output"},
      paramLabel = "NAME.kymo",
      description = "Directory to make; default: PROGRAM-DATE-TIME.kymo.")
  private @Nullable String output;

  @Option(
      names = "--pid",
      paramLabel = "PID",
      description = "Record this process, which runs already.")
  private @Nullable Long pid;

  @Option(
      names = "--duration",
      paramLabel = "TIME",
      converter = DurationConverter.class,
      description =
          "How long, for instance 10s, from the begin or from --start-on; a command runs on. Default:"
              + " until it ends, or Ctrl-C.")
  private @Nullable Duration duration;

  @Option(
      names = "--include",
      paramLabel = "PATTERN",
      description = "Record only these; repeatable.")
  private List<String> include = List.of();

  @Option(names = "--exclude", paramLabel = "PATTERN", description = "Leave these out; repeatable.")
  private List<String> exclude = List.of();

  @Option(
      names = "--min-size",
      paramLabel = "BYTES",
      defaultValue = "32",
      description =
          "Bytes of code from which simple methods are recorded; default: ${DEFAULT-VALUE}.")
  private int minSize;

  @Option(
      names = "--budget",
      paramLabel = "SHARE",
      defaultValue = "5%",
      converter = BudgetConverter.class,
      description =
          "Part of each thread's time that probes may take, for instance 3%%; methods and"
              + " functions that cost more are counted instead, see docs/budget.md. none: record every"
              + " call; default: 5%%.")
  private int budget;

  @Option(
      names = "--no-memory",
      description =
          "Begin as if the program had never been recorded, and keep nothing for its next run; see"
              + " docs/budget.md.")
  private boolean noMemory;

  /** What happens to events when a thread's ring is full. */
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
          "When a thread's buffer is full: discard new events and count them, block the thread until"
              + " there is room, or overwrite the oldest events; default: ${DEFAULT-VALUE}.")
  private WhenFull whenFull = WhenFull.discard;

  @Option(
      names = "--buffer",
      paramLabel = "SIZE",
      defaultValue = "2M",
      converter = SizeConverter.class,
      description =
          "Shared memory for each thread, 128K to 1G; with many threads each new one gets less;"
              + " default: ${DEFAULT-VALUE}.")
  private int buffer;

  @Mixin private DiskOptions disk;

  /** Which clock to record with. */
  enum ClockChoice {
    auto,
    tsc,
    monotonic
  }

  @Option(
      names = "--clock",
      paramLabel = "CLOCK",
      defaultValue = "auto",
      description =
          "tsc: the processor's counter, cheapest, Java 22 or later and C; monotonic: the system's,"
              + " for any; auto: tsc where all JVMs in question can read it; default:"
              + " ${DEFAULT-VALUE}.")
  private ClockChoice clock = ClockChoice.auto;

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
          "Record what threads wait for (locks, sleep, wait, park, start): on, off, or auto, from"
              + " when it fits the budget; default: ${DEFAULT-VALUE}.")
  private Wanted waits = Wanted.auto;

  @Option(
      names = "--jvm-events",
      paramLabel = "WHEN",
      defaultValue = "auto",
      description =
          "Record garbage collections, safepoints, compilations and class loading, likewise;"
              + " default: ${DEFAULT-VALUE}.")
  private Wanted jvmEvents = Wanted.auto;

  @Option(
      names = "--kernel",
      paramLabel = "SERVICES",
      description =
          "Record kernel events, too: any of all, cswitch, ipc, ipc-shortcut,"
              + " irq, pagefault, thread-regs, timer, unmap, or SUBSYSTEM:EVENT, separated by"
              + " commas; see docs/kernel.md. As root, or with a running 'kymo daemon'.")
  private @Nullable String kernel;

  @Option(
      names = "--want-kernel",
      paramLabel = "SERVICES",
      description = "Likewise, but go on without if it cannot be.")
  private @Nullable String wantKernel;

  @Option(
      names = "--system",
      description = "With --kernel: all processes of the machine, not only the command's.")
  private boolean system;

  @Option(
      names = "--kernel-buffer",
      paramLabel = "SIZE",
      defaultValue = "32M",
      converter = SizeConverter.class,
      description = "Memory in the kernel for each processor; default: ${DEFAULT-VALUE}.")
  private int kernelBuffer;

  @Mixin private OwnEventOptions events;

  @Mixin private ThreadOptions threads;

  @Option(names = "--strict", description = "A fault of the agent ends the program; for tests.")
  private boolean strict;

  @Option(
      names = {"-v", "--verbose"},
      description = "Say which classes are recorded.")
  private boolean verbose;

  @Option(
      names = {"-q", "--quiet"},
      description = "No closing line on standard error.")
  private boolean quiet;

  @Option(
      names = "--no-index",
      description =
          "Leave the index to the first kymo view; otherwise a large recording's is built meanwhile.")
  private boolean noIndex;

  @Option(names = "--timings", hidden = true, description = "Say what Kymo's own parts take.")
  private boolean timings;

  @Parameters(
      paramLabel = "COMMAND",
      description = "What to run, with arguments of its own from there on.",
      parameterConsumer = Rest.class)
  private List<String> command = List.of();

  /** What begins with the command is the command's, also what looks like an option. */
  static final class Rest implements IParameterConsumer {
    @Override
    public void consumeParameters(Stack<String> rest, ArgSpec parameters, CommandSpec command) {
      List<String> words = new ArrayList<>();
      while (!rest.isEmpty()) {
        words.add(rest.pop());
      }
      parameters.setValue(words);
    }
  }

  /** Runs what a recording begins with for the first time, which is slow. */
  static void prepare() {
    Spawn.prepare();
    try {
      AgentJar.find();
      Inherited inherited = Inherited.find();
      ProgramFile program = ProgramFile.find("true", inherited.environment());
      JavaVersion.agentOption(program.path());
      Object _ =
          new ClockCalibration(
              Drainer.bestClock(JavaVersion.oldestOf(program.path(), inherited.environment())));
    } catch (IOException | RuntimeException e) {
      // it is said when it is really done
    }
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    Timings.end("options read");
    check();
    SystemCalls.useLibrary();
    Long process = pid;
    Path agent = AgentJar.find();
    Inherited inherited = Inherited.find();
    Map<String, String> environment = inherited.environment();
    ProgramFile program =
        process == null ? ProgramFile.find(command.getFirst(), environment) : null;
    int java =
        program != null
            ? oldestJava(program.path(), environment)
            : javaOf(Objects.requireNonNull(process));
    RecordingRun.Options options =
        new RecordingRun.Options(
            Path.of(output == null ? defaultOutput() : output),
            agent,
            clock(java),
            buffer,
            whenFull.code,
            include,
            exclude,
            minSize,
            budget,
            memory(environment),
            waits.code,
            jvmEvents.code,
            events.options(nanos(), threads.disabled()),
            strict,
            verbose,
            quiet,
            !noIndex,
            disk,
            kernelOptions(),
            process == null ? RawText.shown(String.join(" ", command)) : "--pid " + process);
    Timings.end("program looked at");
    CommandRun.Ending ending;
    try (RecordingRun run = RecordingRun.start(options)) {
      ending =
          program != null
              ? new CommandRun(run, command, threads.isOn(), inherited).run(program)
              : new CommandRun.Ending(
                  new AttachRun(run, Objects.requireNonNull(process), duration).run(), 0);
    }
    Timings.end("recording closed");
    if (timings) {
      Timings.lines().forEach(System.err::println);
    }
    return ending.pass();
  }

  /** Where what is found out about methods is kept; empty = nowhere. */
  private String memory(Map<String, String> environment) {
    Path directory = noMemory || budget == 0 ? null : MemoryFile.directory(environment);
    return directory == null ? "" : directory.toString();
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
    if (kernel != null && wantKernel != null) {
      throw new UsageException("give either --kernel or --want-kernel, not both");
    }
    if ((kernel != null || wantKernel != null) && whenFull == WhenFull.overwrite) {
      throw new UsageException(
          "--kernel does not go with --when-full overwrite: kernel events are written as they come");
    }
    if (system && kernel == null && wantKernel == null) {
      throw new UsageException("--system goes with --kernel");
    }
    if (threads.isOn() && pid != null) {
      throw new UsageException(
          "--threads goes with a command: nothing can be preloaded into a process that runs");
    }
    events.check(whenFull == WhenFull.overwrite);
    disk.check(whenFull == WhenFull.overwrite, kernel != null || wantKernel != null);
    if (output != null && !RawText.isText(output)) {
      throw new UsageException(
          "name of the recording is not UTF-8: path=%s; choose another with -o, or change into its directory"
              .formatted(RawText.shown(output)));
    }
    if (minSize < 0) {
      throw new UsageException("--min-size must not be negative");
    }
  }

  /** How long a command is to be recorded; an attached process is left after its time instead. */
  private long nanos() {
    return duration == null || pid != null ? 0 : duration.toNanos();
  }

  private @Nullable KernelOptions kernelOptions() {
    String services = kernel != null ? kernel : wantKernel;
    return services == null
        ? null
        : KernelOptions.of(services, kernel != null, system, kernelBuffer);
  }

  private String clock(int oldestJava) {
    return switch (clock) {
      case tsc -> Clock.TSC;
      case monotonic -> Clock.MONOTONIC;
      case auto -> Drainer.bestClock(oldestJava);
    };
  }

  /** A program that records itself is not expected to start a Java that is older than this one. */
  private int oldestJava(Path program, Map<String, String> environment) {
    return NativeProgram.isNative(program)
            || (threads.isOn() && NativeProgram.isMachineCode(program))
        ? Runtime.version().feature()
        : JavaVersion.oldestOf(program, environment);
  }

  private String defaultOutput() {
    String first = pid != null ? "" : RawText.shown(command.getFirst()).replace('\\', '_');
    String program = pid != null ? "pid-" + pid : first.substring(first.lastIndexOf('/') + 1);
    String when =
        LocalDateTime.now(ZoneId.systemDefault())
            .format(DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss"));
    return program + "-" + when + ".kymo";
  }
}
