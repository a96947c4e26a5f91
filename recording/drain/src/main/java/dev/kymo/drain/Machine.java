package dev.kymo.drain;

import dev.kymo.format.Definition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Identifies this machine. */
public final class Machine {
  private Machine() {}

  /** What a recording that is made here says of itself. */
  public static Definition.Recording recording(String version, String command, String whenFull) {
    int processors = Runtime.getRuntime().availableProcessors();
    return new Definition.Recording(
        version, command, host(), kernel(), processor(), processors, whenFull);
  }

  private static String host() {
    return read("/proc/sys/kernel/hostname");
  }

  private static String kernel() {
    return read("/proc/sys/kernel/osrelease");
  }

  private static String processor() {
    for (String line : read("/proc/cpuinfo").split("\n")) {
      if (line.startsWith("model name")) {
        return line.substring(line.indexOf(':') + 1).trim();
      }
    }
    return System.getProperty("os.arch", "");
  }

  private static String read(String file) {
    try {
      return Files.readString(Path.of(file)).trim();
    } catch (IOException e) {
      return "";
    }
  }
}
