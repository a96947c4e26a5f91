package dev.kymo.session.run;

import dev.kymo.drain.SharedMemory;
import dev.kymo.recorder.ChildEnvironment;
import dev.kymo.session.ExitCode;
import dev.kymo.session.StandardError;
import dev.kymo.session.system.CommandEnd;
import dev.kymo.session.system.Inherited;
import dev.kymo.session.system.JavaVersion;
import dev.kymo.session.system.LinuxCalls;
import dev.kymo.session.system.OtherUser;
import dev.kymo.session.system.ProgramFile;
import dev.kymo.session.system.RawText;
import dev.kymo.session.system.Signals;
import dev.kymo.session.system.Spawn;
import dev.kymo.session.system.Timings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Runs a command under the recorder. Input, output, signals and exit code are the command's own.
 */
public final class CommandRun {
  /** The signal that ends a program after a system call that it may not make. */
  private static final int SIGSYS = 31;

  /** Options that say how large stacks are. */
  private static final Pattern STACK = Pattern.compile("-Xss.*|-XX:(Main)?ThreadStackSize=.*");

  /** With probes in them calls take up to twice the stack. Defaults are 1 MB, and 2 on ARM64. */
  private static final String TWICE_THE_STACK =
      System.getProperty("os.arch").equals("aarch64") ? "-Xss4m" : "-Xss2m";

  private final RecordingRun recording;
  private final List<String> command;
  private final Preload.Library preloaded;
  private final Inherited inherited;

  /**
   * A command to be run.
   *
   * @param preloaded what records native programs
   */
  public CommandRun(
      RecordingRun recording,
      List<String> command,
      Preload.Library preloaded,
      Inherited inherited) {
    this.recording = recording;
    this.command = command;
    this.preloaded = preloaded;
    this.inherited = inherited;
  }

  /** How the command ended; exit code 2 if it could not be run. */
  public CommandEnd run(ProgramFile file) throws IOException, InterruptedException {
    Path program = file.path();
    Map<String, String> environment = new LinkedHashMap<>(inherited.environment());
    List<String> words = new ArrayList<>(command);
    String agentOption = JavaVersion.agentOption(program);
    if ("-javaagent:".equals(agentOption)) {
      JavaOptions options = new JavaOptions(words, environment);
      ClassArchive archive = new ClassArchive(options);
      String made = archive.made();
      if (made != null) {
        return unrecorded(
            file,
            "nothing recorded: this run makes an archive of classes, which is to be as without Kymo: option="
                + made);
      }
      leaveOutIfRefused(archive);
      if (options.find(STACK) == null) {
        options.addFirst(TWICE_THE_STACK);
      }
    }
    environment.put(ChildEnvironment.SESSION, recording.sharedMemory().toString());
    String refusal = preload(program, environment);
    if (refusal != null) {
      return refuse(refusal);
    }
    if (agentOption != null) {
      words.add(1, agentOption + recording.agentOption());
    } else {
      String option =
          ChildEnvironment.option(
              recording.place().agent(recording.options().program().agent()).toString(),
              recording.sharedMemory().toString());
      environment.merge(ChildEnvironment.VARIABLE, option, (given, ours) -> given + " " + ours);
    }
    Timings.end("libraries found");
    CommandEnd ending;
    try {
      ending = run(file, words, environment);
    } catch (Spawn.RefusedException e) {
      return refuse(file.refusal(e));
    }
    if (ending.signal() == SIGSYS) {
      StandardError.say(
          "the program was ended by SIGSYS: it restricts its system calls, in a way that Kymo did not notice; perhaps one of Kymo's was not allowed");
    }
    new Survivors(recording.sharedMemory()).await();
    Timings.end("its children ended");
    if (recording.finish() == 0 && !recording.hasKernelEvents()) {
      recording.discard();
      StandardError.say(nothing(program));
    }
    return ending;
  }

  private CommandEnd run(ProgramFile file, List<String> words, Map<String, String> environment)
      throws IOException, InterruptedException {
    try (Signals signals = Signals.forward(inherited)) {
      int pid = recording.begin(() -> Spawn.start(file.name(), words, environment, inherited));
      Timings.end("program started");
      signals.to(pid);
      CommandEnd ending = CommandEnd.of(LinuxCalls.waitFor(pid));
      Timings.end("program ended");
      return ending;
    }
  }

  /** Runs it as it is. */
  private CommandEnd unrecorded(ProgramFile file, String why)
      throws IOException, InterruptedException {
    try {
      CommandEnd ending = run(file, command, inherited.environment());
      recording.finish();
      recording.discard();
      StandardError.say(why);
      return ending;
    } catch (Spawn.RefusedException e) {
      return refuse(file.refusal(e));
    }
  }

  /** An archive of classes that the virtual machine would refuse. */
  private void leaveOutIfRefused(ClassArchive archive) throws IOException, InterruptedException {
    String read = archive.read();
    if (read != null && !archive.isAcceptedWith(recording.options().program().agent())) {
      archive.leaveOut();
      StandardError.say(
          "the program runs without its archive of classes, which does not fit an agent: option=%s; one that fits is made with --add-modules=java.instrument in all steps"
              .formatted(read));
    }
  }

  /** Why a program cannot be recorded as requested; null if it can. */
  private @Nullable String preload(Path program, Map<String, String> environment) {
    Path agent = recording.options().program().agent();
    try {
      if (preloaded == Preload.Library.FUNCTIONS) {
        // With kernel events there is something to record also if nothing is preloaded.
        boolean useless = recording.wantsKernelEvents() && NativeProgram.isOutOfReach(program);
        if (!useless && !Preload.OTHER_LIBRARY.equals(Preload.obstacle(program))) {
          Preload.add(preloaded, agent, recording.sharedMemory(), environment);
        }
        return null;
      }
      String obstacle = Preload.obstacle(program);
      if (obstacle != null && !obstacle.equals(Preload.WORD_32_BIT)) {
        return "no %s can be recorded of a program that is %s, nothing can be preloaded into it: %s"
            .formatted(preloaded.what, obstacle, program);
      }
      return Preload.add(preloaded, agent, recording.sharedMemory(), environment)
          ? null
          : "no %s can be recorded: %s was not built, which needs gcc, make and an x86-64 or ARM64 machine"
              .formatted(preloaded.what, preloaded.title());
    } catch (IOException e) {
      return e.getMessage();
    }
  }

  private String nothing(Path program) {
    Path memory = recording.sharedMemory();
    if (SharedMemory.isFull(memory, recording.options().buffers().size())) {
      return "nothing recorded: shared memory is full: directory=%s; make room, or name another directory in KYMO_SHARED_MEMORY"
          .formatted(memory.getParent());
    }
    String obstacle = Preload.obstacle(program);
    String because =
        obstacle == null
            ? "the command ran no Java program, and none built with -finstrument-functions or events"
                + (preloaded == Preload.Library.FUNCTIONS ? "" : ", or with " + preloaded.what)
            : "the program is %s, so libkymo cannot be preloaded".formatted(obstacle);
    Path closed = OtherUser.closed(recording.options().program().agent());
    if (closed != null) {
      because +=
          " (programs of other users could not be recorded, they cannot read %s)".formatted(closed);
    }
    return "nothing recorded: " + because + ": " + RawText.shown(String.join(" ", command));
  }

  private CommandEnd refuse(String why) throws IOException, InterruptedException {
    recording.finish();
    recording.discard();
    StandardError.say(why);
    return new CommandEnd(ExitCode.USAGE, 0);
  }
}
