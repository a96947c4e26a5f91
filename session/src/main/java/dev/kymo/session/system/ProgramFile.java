package dev.kymo.session.system;

import dev.kymo.session.UsageException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The file that a command names, as a shell would find it.
 *
 * @param name what to give the system, as {@link RawText}
 * @param path the same for looking into it
 */
public record ProgramFile(String name, Path path) {
  private static final String USUAL_PLACES = "/usr/bin:/bin";
  private static final int LONGEST_LINE = 256;

  /**
   * Finds it.
   *
   * @throws UsageException that says why it cannot be run
   */
  public static ProgramFile find(String command, Map<String, String> environment) {
    ProgramFile unsuitable = null;
    String places = environment.get("PATH");
    if (command.indexOf('/') >= 0) {
      unsuitable = of(command);
    } else if (!command.isEmpty()) {
      for (String place : (places == null ? USUAL_PLACES : places).split(":", -1)) {
        ProgramFile file = of(place.isEmpty() ? command : place + "/" + command);
        if (file != null && file.canRun()) {
          return file;
        }
        unsuitable = unsuitable == null ? file : unsuitable;
      }
    }
    if (unsuitable == null) {
      throw new UsageException("command not found: " + RawText.shown(command));
    }
    if (!unsuitable.canRun()) {
      throw new UsageException(unsuitable.refusal());
    }
    return unsuitable;
  }

  private static @Nullable ProgramFile of(String name) {
    Path path = RawText.path(name);
    return Files.exists(path) ? new ProgramFile(name, path) : null;
  }

  private boolean canRun() {
    return !Files.isDirectory(path) && Files.isExecutable(path);
  }

  private String refusal() {
    return Files.isDirectory(path)
        ? "command cannot be run, it is a directory: path=" + RawText.shown(name)
        : "command cannot be run, it is not executable: path=%s; chmod +x makes it so"
            .formatted(RawText.shown(name));
  }

  /** Why the system refused to run it. */
  public String refusal(Spawn.RefusedException cause) {
    String shown = RawText.shown(name);
    String interpreter = cause.error == LinuxCalls.ENOENT ? interpreter() : null;
    if (interpreter != null) {
      return "command cannot be run, its interpreter is not there: path=%s interpreter=%s"
          .formatted(shown, interpreter);
    }
    return cause.error == LinuxCalls.E2BIG
        ? "command cannot be run, its arguments and environment are longer than the system allows: path="
            + shown
        : "command cannot be run: path=%s error=\"%s\"".formatted(shown, cause.getMessage());
  }

  /** What a script says that it is for; null for other programs. */
  private @Nullable String interpreter() {
    try {
      String[] words = interpreter(path);
      return words == null ? null : words[0];
    } catch (IOException e) {
      return null;
    }
  }

  /** The interpreter that a script names, and its argument if it has one; null for others. */
  public static String @Nullable [] interpreter(Path path) throws IOException {
    try (InputStream in = Files.newInputStream(path)) {
      String begin = new String(in.readNBytes(LONGEST_LINE), StandardCharsets.UTF_8);
      return begin.startsWith("#!")
          ? begin.substring(2).lines().findFirst().orElse("").strip().split("[ \t]+", 2)
          : null;
    }
  }
}
