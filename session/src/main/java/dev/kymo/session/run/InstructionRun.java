package dev.kymo.session.run;

import dev.kymo.drain.RecordingDirectory;
import dev.kymo.format.Redaction;
import dev.kymo.instructions.completion.InstructionCompletion;
import dev.kymo.session.ExitCode;
import dev.kymo.session.OutputFile;
import dev.kymo.session.StandardError;
import dev.kymo.session.UsageException;
import dev.kymo.session.system.CommandEnd;
import dev.kymo.session.system.Emulator;
import dev.kymo.session.system.Inherited;
import dev.kymo.session.system.LinuxCalls;
import dev.kymo.session.system.ProgramFile;
import dev.kymo.session.system.Signals;
import dev.kymo.session.system.Spawn;
import dev.kymo.session.system.Timings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Runs a command in QEMU, with a plugin that writes down what it executes. Input, output, signals
 * and exit code are the command's own.
 */
public final class InstructionRun {
  private static final String LIBRARY = "libkymo-instructions.so";

  private final Path output;
  private final Places places;
  private final Room room;
  private final boolean quiet;
  private final Redaction redaction;
  private final Inherited inherited;

  /**
   * Where recording begins and ends: {@code marker} or a function of the program, and {@code #N}
   * for the N-th time; or the number of an instruction.
   *
   * @param start null: at the program's begin
   * @param stop null: at its end
   * @param untilFault whether it ends at the first fault
   */
  public record Places(@Nullable String start, @Nullable String stop, boolean untilFault) {
    private static final Pattern FORM = Pattern.compile("([^#]+)(#[1-9][0-9]{0,17})?");
    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,18}");

    /** As arguments of the plugin. */
    String arguments(Path program) {
      return argument("start", start, program)
          + argument("stop", stop, program)
          + (untilFault ? ",fault=1" : "");
    }

    /** Whether a place is an instruction, by its number. */
    public static boolean isNumber(String place) {
      return NUMBER.matcher(place).matches();
    }

    private static String argument(String name, @Nullable String place, Path program) {
      if (place == null) {
        return "";
      }
      if (isNumber(place)) {
        return ",%s=%s".formatted(name.equals("start") ? "begin" : "end", place);
      }
      Matcher matcher = FORM.matcher(place);
      if (!matcher.matches()) {
        throw new UsageException(
            "no such place: --%s-at %s; use marker or a function, and #N for the N-th time, or the number of an instruction"
                .formatted(name, place));
      }
      String where = matcher.group(1);
      if (!where.equals("marker")) {
        OptionalLong address = InstructionCompletion.address(program, where);
        if (address.isEmpty()) {
          throw new UsageException(
              "no such function in the program: --%s-at %s; it is one of the file's own symbols, as they are in the file: path=%s"
                  .formatted(name, where, program));
        }
        where = Long.toHexString(address.getAsLong());
      }
      return ",%s=%s%s".formatted(name, where, matcher.group(2) == null ? "" : matcher.group(2));
    }
  }

  /**
   * A recording to be made.
   *
   * @param output directory to create
   */
  public InstructionRun(
      Path output,
      Places places,
      Room room,
      boolean quiet,
      Redaction redaction,
      Inherited inherited) {
    this.redaction = redaction;
    this.output = output;
    this.places = places;
    this.room = room;
    this.quiet = quiet;
    this.inherited = inherited;
  }

  /**
   * Runs a command.
   *
   * @param agent the agent's jar: the plugin lies beside it
   * @param shown the command, as {@link Redaction#of} takes it
   */
  public CommandEnd run(List<String> words, String shown, Path agent)
      throws IOException, InterruptedException {
    Map<String, String> environment = new LinkedHashMap<>(inherited.environment());
    ProgramFile program = ProgramFile.find(words.getFirst(), environment);
    ProgramFile emulator = Emulator.find(environment);
    Path library = Preload.library(agent, LIBRARY);
    if (!Files.isRegularFile(library)) {
      throw new UsageException(
          "no instructions can be recorded: %s was not built, which needs gcc, make and an x86-64 machine"
              .formatted(LIBRARY));
    }
    String where = places.arguments(program.path());
    RecordingDirectory.make(output);
    try (RecorderLock _ = RecorderLock.hold(output)) {
      Path traces = InstructionCompletion.prepare(output, room.limit());
      String plugin = InstructionEnding.plugin(library, traces) + where;
      List<String> command = Emulator.command(plugin, program, words, environment);
      return run(emulator, command, environment, shown, traces);
    }
  }

  private CommandEnd run(
      ProgramFile emulator,
      List<String> command,
      Map<String, String> environment,
      String shown,
      Path traces)
      throws IOException, InterruptedException {
    Instant now = Instant.now();
    Timings.end("program looked at");
    CommandEnd ending;
    InstructionDraining draining = new InstructionDraining(traces, room.kept());
    try (draining;
        Signals signals = Signals.forward(inherited)) {
      int pid = Spawn.start(emulator.name(), command, environment, inherited);
      signals.to(pid);
      ending = CommandEnd.of(LinuxCalls.waitFor(pid));
      if (!Survivors.await(nanos -> running(traces) > 0, () -> running(traces))) {
        InstructionCompletion.stop(traces);
      }
      Timings.end("program ended");
    } catch (Spawn.RefusedException e) {
      draining.close();
      OutputFile.delete(output);
      StandardError.say(emulator.refusal(e));
      return new CommandEnd(ExitCode.USAGE, 0);
    }
    Timings.end("instructions written");
    draining.sayFailure();
    if (InstructionCompletion.processes(traces).isEmpty()) {
      OutputFile.delete(output);
      StandardError.say("nothing recorded: QEMU could not begin: " + redaction.of(shown));
      return ending;
    }
    InstructionEnding.Recorded recorded =
        new InstructionEnding.Recorded(output, shown, now, null, List.of(), redaction);
    if (InstructionEnding.complete(recorded, quiet) == 0) {
      StandardError.say("no instruction was recorded, the program did not come to --start-at");
    }
    return ending;
  }

  private static int running(Path traces) {
    try {
      return (int)
          InstructionCompletion.processes(traces).stream()
              .distinct()
              .filter(InstructionRun::isRunning)
              .count();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A number may be another process's by now, which QEMU does not run. */
  private static boolean isRunning(int pid) {
    try {
      Path program = Files.readSymbolicLink(Path.of("/proc", Integer.toString(pid), "exe"));
      return program.getFileName().toString().startsWith("qemu-x86_64");
    } catch (IOException e) {
      return false; // ended
    }
  }
}
