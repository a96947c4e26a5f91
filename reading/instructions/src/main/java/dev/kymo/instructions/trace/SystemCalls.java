package dev.kymo.instructions.trace;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/** Names of Linux's system calls on x86-64, and of signals. */
public final class SystemCalls {
  private static final String[] SIGNALS = {
    "",
    "SIGHUP",
    "SIGINT",
    "SIGQUIT",
    "SIGILL",
    "SIGTRAP",
    "SIGABRT",
    "SIGBUS",
    "SIGFPE",
    "SIGKILL",
    "SIGUSR1",
    "SIGSEGV",
    "SIGUSR2",
    "SIGPIPE",
    "SIGALRM",
    "SIGTERM",
    "SIGSTKFLT",
    "SIGCHLD",
    "SIGCONT",
    "SIGSTOP",
    "SIGTSTP",
    "SIGTTIN",
    "SIGTTOU",
    "SIGURG",
    "SIGXCPU",
    "SIGXFSZ",
    "SIGVTALRM",
    "SIGPROF",
    "SIGWINCH",
    "SIGIO",
    "SIGPWR",
    "SIGSYS"
  };

  private final Map<Integer, String> names = new HashMap<>();

  /** Reads the table: a number and a name in each line, as the kernel's unistd_64.h has them. */
  public SystemCalls() {
    try (InputStream table = SystemCalls.class.getResourceAsStream("system-calls.txt")) {
      byte[] lines = Objects.requireNonNull(table, "table of system calls").readAllBytes();
      new String(lines, StandardCharsets.US_ASCII).lines().forEach(this::add);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void add(String line) {
    int space = line.indexOf(' ');
    names.put(Integer.valueOf(line.substring(0, space)), line.substring(space + 1));
  }

  /** The name of a system call, or its number. */
  public String name(int number) {
    return names.getOrDefault(number, "system call " + number);
  }

  public static String signal(int number) {
    return number < SIGNALS.length ? SIGNALS[number] : "SIGRTMIN+" + (number - 34);
  }
}
