package dev.kymo.session.machine;

import dev.kymo.instructions.calls.InstructionTrace;
import dev.kymo.session.UsageException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * An instruction that somebody wants to know something at.
 *
 * @param name as it was given
 * @param addresses in hexadecimal digits: a function may be in several programs
 * @param values what is wanted, as it was given
 */
public record ReplayPlace(String name, List<String> addresses, List<String> values) {
  private static final Pattern ADDRESS = Pattern.compile("0x([0-9a-f]{1,16})");
  private static final Pattern FORM =
      Pattern.compile("(?:([^:+]+):)?([^:+]+)(?:\\+(0x[0-9a-f]{1,8}|\\d{1,8}))?");

  /**
   * Finds a place.
   *
   * @param name {@code 0xADDRESS}, or {@code [FILE:]FUNCTION[+OFFSET]}, {@code kernel} for the
   *     kernel's
   * @param values separated by commas
   * @throws UsageException if there is none
   */
  public static ReplayPlace find(InstructionTrace trace, String name, String values)
      throws IOException {
    List<String> wanted = values.isEmpty() ? List.of() : List.of(values.split(",", -1));
    wanted.forEach(DataExpression::words);
    Matcher address = ADDRESS.matcher(name);
    if (address.matches()) {
      return new ReplayPlace(name, List.of(address.group(1)), wanted);
    }
    Matcher form = FORM.matcher(name);
    if (!form.matches()) {
      throw new UsageException(
          "no such place: --at %s; use 0xADDRESS or [FILE:]FUNCTION[+OFFSET]".formatted(name));
    }
    String file = form.group(1);
    String function = form.group(2);
    long offset = form.group(3) == null ? 0 : Long.decode(form.group(3));
    List<InstructionTrace.FunctionAddress> found = new ArrayList<>(trace.functions(function));
    if (file != null) {
      found.removeIf(each -> !each.file().equals(file));
    }
    List<String> files =
        found.stream().map(InstructionTrace.FunctionAddress::file).distinct().toList();
    if (found.isEmpty()) {
      throw new UsageException(
          "no function of that name was executed: --at %s; kymo report shows which ones were"
              .formatted(name));
    }
    if (files.size() > 1) {
      throw new UsageException(
          "several files have such a function: --at %s; say which one: %s"
              .formatted(
                  name,
                  files.stream().map(f -> f + ":" + function).collect(Collectors.joining(", "))));
    }
    return new ReplayPlace(
        name,
        found.stream().map(each -> Long.toHexString(each.address() + offset)).distinct().toList(),
        wanted);
  }

  /** As arguments of the plugin. */
  String arguments() {
    String of =
        values.stream()
            .map(value -> ",value=" + DataExpression.words(value))
            .collect(Collectors.joining());
    return addresses.stream().map(each -> ",at=" + each + of).collect(Collectors.joining());
  }

  /** As lines beside the file of data. */
  String lines() {
    String of = values.stream().map(value -> "value " + value + "\n").collect(Collectors.joining());
    return addresses.stream().map(each -> "at " + name + "\n" + of).collect(Collectors.joining());
  }
}
