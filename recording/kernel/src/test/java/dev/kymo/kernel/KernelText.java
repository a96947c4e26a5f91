package dev.kymo.kernel;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A line of the kernel's own text: {@code comm-tid [cpu] flags clock: name: arguments}, system
 * calls as {@code sys_name(arguments)} and {@code sys_name -> result}.
 */
record KernelText(int tid, int cpu, String flags, long clock, String name, String arguments) {
  private static final Pattern LINE =
      Pattern.compile("\\s*.*-(\\d+)\\s+\\[(\\d+)] (\\S+) (\\d+): (.*)");
  private static final Pattern EVENT = Pattern.compile("(\\w+): ?(.*)");
  private static final Pattern SYSCALL = Pattern.compile("sys_(\\w+)(\\(| -> )(.*?)\\)?");

  /** An event; empty for a comment. */
  static Optional<KernelText> parse(String line) {
    if (line.startsWith("#") || line.startsWith("CPU:") || line.isBlank()) {
      return Optional.empty();
    }
    Matcher matcher = LINE.matcher(line);
    if (!matcher.matches()) {
      throw new AssertionError("kernel's text: " + line);
    }
    String rest = matcher.group(5);
    Matcher event = EVENT.matcher(rest);
    Matcher call = SYSCALL.matcher(rest);
    boolean isCall = call.matches();
    if (!isCall && !event.matches()) {
      throw new AssertionError("kernel's text: " + line);
    }
    String kind = isCall && call.group(2).equals("(") ? "sys_enter_" : "sys_exit_";
    return Optional.of(
        new KernelText(
            Integer.parseInt(matcher.group(1)),
            Integer.parseInt(matcher.group(2)),
            matcher.group(3),
            Long.parseUnsignedLong(matcher.group(4)),
            isCall ? kind + call.group(1) : event.group(1),
            isCall ? call.group(3) : event.group(2)));
  }
}
