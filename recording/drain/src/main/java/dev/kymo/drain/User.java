package dev.kymo.drain;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Finds the users that processes run as. */
final class User {
  private User() {}

  /** The user that this process acts as. */
  static long effective() throws IOException {
    return effective("self");
  }

  /**
   * The user that a process acts as.
   *
   * @param pid a number or {@code self}; for a thread {@code PID/task/TID}
   * @throws IOException if there is no such process
   */
  static long effective(String pid) throws IOException {
    return number(pid, "Uid:", 1);
  }

  /**
   * The parent of a process: the process that started it or took it over.
   *
   * @throws IOException if there is no such process
   */
  static long parent(long pid) throws IOException {
    return number(Long.toString(pid), "PPid:", 0);
  }

  /**
   * The number that a process, or a thread as {@code PID/task/TID}, has for itself: in a container
   * another one than here.
   *
   * @throws IOException if there is no such process
   */
  static long innermost(String pid) throws IOException {
    String[] numbers = numbers(pid, "NSpid:");
    return Long.parseLong(numbers[numbers.length - 1]);
  }

  /** Whether a process has numbers of its own, which nobody here uses; false if there is none. */
  static boolean hasOwnNumbers(String pid) {
    try {
      return numbers(pid, "NSpid:").length > 1;
    } catch (IOException e) {
      return false;
    }
  }

  private static long number(String pid, String line, int index) throws IOException {
    return Long.parseLong(numbers(pid, line)[index]);
  }

  /** The numbers in a line of {@code /proc/PID/status}. */
  private static String[] numbers(String pid, String line) throws IOException {
    for (String text :
        Files.readString(Path.of("/proc", pid, "status"), StandardCharsets.ISO_8859_1)
            .split("\n")) {
      if (text.startsWith(line)) {
        return text.substring(line.length()).strip().split("\\s+");
      }
    }
    throw new IOException("the kernel does not say: pid=%s line=%s".formatted(pid, line));
  }
}
