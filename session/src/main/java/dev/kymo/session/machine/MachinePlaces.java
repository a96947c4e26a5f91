package dev.kymo.session.machine;

import dev.kymo.instructions.completion.InstructionCompletion;
import dev.kymo.session.UsageException;
import dev.kymo.session.run.InstructionEnding;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The places where the recording of a machine begins and ends: the number of an instruction, or a
 * function of the program or the kernel, and {@code #N} for the N-th time. Or the {@code program}'s
 * start, or a {@code marker}.
 *
 * @param start null: with the machine
 * @param stop null: with the machine
 */
public record MachinePlaces(@Nullable String start, @Nullable String stop) {
  private static final Pattern MARKER = Pattern.compile("marker(?:#([1-9][0-9]{0,7}))?");
  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,18}");
  private static final Pattern FUNCTION = Pattern.compile("([^#]+)(#[1-9][0-9]{0,17})?");

  /** The number of the begin marker that recording begins at; 0: it begins otherwise. */
  public long marker() {
    if (start == null) {
      return 0;
    }
    if (start.equals("program")) {
      return 1; // the machine's first program passes one when it starts the command
    }
    Matcher matcher = MARKER.matcher(start);
    return !matcher.matches()
        ? 0
        : 1 + (matcher.group(1) == null ? 1 : Long.parseLong(matcher.group(1)));
  }

  /**
   * Arguments of the plugin for what is no marker.
   *
   * @param program the command's file
   * @throws UsageException if there is no such function
   */
  public String arguments(Path program, MachineHome.Kernel kernel) throws IOException {
    String begin = marker() > 0 ? "" : argument("start", "begin", start, program, kernel);
    String arguments = begin + argument("stop", "end", stop, program, kernel);
    return arguments.contains("=p")
        ? ",program=" + InstructionEnding.quoted(program.toRealPath()) + arguments
        : arguments;
  }

  private static String argument(
      String option, String name, @Nullable String place, Path program, MachineHome.Kernel kernel)
      throws IOException {
    if (place == null) {
      return "";
    }
    if (NUMBER.matcher(place).matches()) {
      return ",%s=%s".formatted(name, place);
    }
    Matcher matcher = FUNCTION.matcher(place);
    if (!matcher.matches()) {
      throw new UsageException(
          "no such place: --%s-at %s; use a function, and #N for the N-th time, or the number of an instruction"
              .formatted(option, place));
    }
    String function = matcher.group(1);
    String passes = matcher.group(2) == null ? "" : matcher.group(2);
    OptionalLong own = InstructionCompletion.offset(program, function);
    OptionalLong address =
        own.isPresent()
            ? own
            : KernelSymbols.read(Files.readString(kernel.symbols())).address(function);
    if (address.isEmpty()) {
      throw new UsageException(
          "no such function in the program or the kernel: --%s-at %s; it is one of their own symbols: path=%s"
              .formatted(option, function, program));
    }
    return ",%s=%s%x%s".formatted(name, own.isPresent() ? "p" : "k", address.getAsLong(), passes);
  }
}
