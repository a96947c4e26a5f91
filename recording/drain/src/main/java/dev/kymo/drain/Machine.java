package dev.kymo.recorder.drain;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What machine this is. */
final class Machine {
  private Machine() {}

  static String host() {
    return read("/proc/sys/kernel/hostname");
  }

  static String kernel() {
    return read("/proc/sys/kernel/osrelease");
  }

  static String processor() {
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
