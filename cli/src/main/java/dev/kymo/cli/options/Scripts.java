package dev.kymo.cli.options;

import dev.kymo.analysis.activity.ActivityRule;
import dev.kymo.analysis.activity.DeclaredActivities;
import dev.kymo.scripts.ScriptActivities;
import dev.kymo.scripts.ScriptException;
import dev.kymo.session.ExitCode;
import dev.kymo.session.UsageException;
import dev.kymo.session.system.RawText;
import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

/** Common parts of commands that run scripts, or rules that were declared without one. */
public final class Scripts {
  private Scripts() {}

  /**
   * Ends the command, with all that it would leave: nothing else ends a function of JavaScript's
   * own that does not end by itself.
   */
  public static void giveUp(ScriptException why) {
    System.err.println("kymo: " + why.getMessage());
    System.exit(ExitCode.FAILED);
  }

  /** What finds activities. */
  public record Rule(ActivityRule rule) implements AutoCloseable {
    @Override
    public void close() {
      if (rule instanceof ScriptActivities script) {
        script.close();
      }
    }
  }

  /** Whether it is no file, but a declaration. */
  static boolean isDeclared(String given) {
    return given.contains("begin=") && !Files.exists(RawText.path(given));
  }

  /**
   * Reads what finds activities: a script, a file with declarations, or a declaration itself; to be
   * used and closed by this thread.
   */
  public static Rule activities(String given) throws IOException {
    Path file = RawText.path(given);
    try {
      if (given.endsWith(FilterOption.ENDING)) {
        return new Rule(ScriptActivities.open(file, Scripts::giveUp));
      }
      List<String> lines = isDeclared(given) ? List.of(given) : Files.readAllLines(file);
      return new Rule(DeclaredActivities.of(lines));
    } catch (NoSuchFileException e) {
      throw new UsageException("no such file of activities: file=" + given);
    } catch (MalformedInputException e) {
      throw new UsageException("file of activities is not text in UTF-8: file=" + given);
    } catch (IllegalArgumentException e) {
      throw new UsageException(
          "activities cannot be read: from=\"%s\" %s".formatted(given, e.getMessage()));
    }
  }
}
