package dev.kymo.query.worker;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** How another process is started with this one's virtual machine, class path and options. */
public final class OwnCommand {
  private OwnCommand() {}

  /**
   * The words before the arguments.
   *
   * @param main name of the other's main class
   * @param room directory for its temporary files
   */
  public static List<String> of(String main, Path room) {
    List<String> words = words();
    String own = System.getProperty("sun.java.command", "").split(" ", 2)[0];
    int at = words.indexOf(own);
    boolean usual = at > 0 && !words.get(at - 1).equals("-jar"); // tests are started so
    List<String> command = new ArrayList<>(usual ? words.subList(0, at) : plain());
    command.add("-Djava.io.tmpdir=" + room);
    command.add(main);
    return command;
  }

  private static List<String> plain() {
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-XX:+UseSerialGC",
        "-Xmx" + Runtime.getRuntime().maxMemory(),
        "--enable-native-access=ALL-UNNAMED",
        "-cp",
        System.getProperty("java.class.path"));
  }

  private static List<String> words() {
    try {
      byte[] line = Files.readAllBytes(Path.of("/proc/self/cmdline"));
      return List.of(new String(line, StandardCharsets.UTF_8).split("\0"));
    } catch (IOException e) {
      return List.of();
    }
  }
}
