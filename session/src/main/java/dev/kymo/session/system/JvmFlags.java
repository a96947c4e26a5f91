package dev.kymo.session.system;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Flags that a virtual machine was started with, as far as its command line and environment say
 * them: those in files ({@code @arguments}, {@code .hotspotrc}) are not seen.
 */
public final class JvmFlags {
  private static final String FLAG = "-XX:";

  /** In the order in which they are given, the last one counts. */
  private final List<String> flags;

  private JvmFlags(List<String> flags) {
    this.flags = flags;
  }

  /** Those of a process; none of one that cannot be looked at. */
  public static JvmFlags of(long pid) {
    Path process = Path.of("/proc", Long.toString(pid));
    return of(words(process.resolve("cmdline")), words(process.resolve("environ")));
  }

  static JvmFlags of(List<String> command, List<String> environment) {
    List<String> flags = new ArrayList<>();
    variable(environment, "JAVA_TOOL_OPTIONS", flags);
    variable(environment, "JDK_JAVA_OPTIONS", flags);
    for (int i = 1; i < command.size(); i++) {
      String word = command.get(i);
      if (!word.startsWith("-") || word.equals("-jar")) {
        boolean isValue =
            command.get(i - 1).matches("-cp|-classpath|--class-path|-p|--module-path");
        if (!isValue) {
          break; // the program; what follows is for it
        }
      }
      flags.add(word);
    }
    variable(environment, "_JAVA_OPTIONS", flags);
    return new JvmFlags(flags);
  }

  private static void variable(List<String> environment, String name, List<String> flags) {
    for (String line : environment) {
      if (line.startsWith(name + "=")) {
        flags.addAll(List.of(line.substring(name.length() + 1).split("\\s+")));
      }
    }
  }

  private static List<String> words(Path file) {
    try {
      String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
      return List.of(text.split("\0"));
    } catch (IOException e) {
      return List.of();
    }
  }

  /**
   * Whether a flag is on.
   *
   * @param otherwise if it was not given
   */
  public boolean isOn(String name, boolean otherwise) {
    boolean on = otherwise;
    for (String flag : flags) {
      on = flag.equals(FLAG + "+" + name) || (on && !flag.equals(FLAG + "-" + name));
    }
    return on;
  }

  /** Why no agent can come into the running virtual machine; empty if none of the flags says so. */
  public String obstacle() {
    if (isOn("DisableAttachMechanism", false)) {
      return "its virtual machine takes no agent while it runs: it was started with -XX:+DisableAttachMechanism";
    }
    return isOn("EnableDynamicAgentLoading", true)
        ? ""
        : "its virtual machine takes no agent while it runs: it was started with -XX:-EnableDynamicAgentLoading";
  }
}
