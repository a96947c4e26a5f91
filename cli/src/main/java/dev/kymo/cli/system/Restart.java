package dev.kymo.cli.system;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** How another process of this program is started, with the same virtual machine and options. */
public final class Restart {
  private static final String MAIN = "dev.kymo.cli.Main";

  private Restart() {}

  /** The words before the command's own arguments. */
  public static List<String> command() {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    List<String> own = words();
    int main = own.indexOf(MAIN);
    return main > 0
        ? own.subList(0, main + 1)
        : List.of(
            java,
            "-XX:+UseSerialGC",
            "-Xmx" + Runtime.getRuntime().maxMemory(),
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            System.getProperty("java.class.path"),
            MAIN);
  }

  private static List<String> words() {
    try {
      return RawText.strings(Files.readAllBytes(Path.of("/proc/self/cmdline")));
    } catch (IOException e) {
      return List.of();
    }
  }
}
