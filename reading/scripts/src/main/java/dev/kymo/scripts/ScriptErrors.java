package dev.kymo.scripts;

import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.mozilla.javascript.EvaluatorException;
import org.mozilla.javascript.RhinoException;

/** Says what is wrong with a script, and where. */
final class ScriptErrors {
  /** Names that messages are about: {@code property "x"}, {@code Cannot find function y}. */
  private static final Pattern NAMED =
      Pattern.compile("\"([A-Za-z_$][\\w$]*)\"|(?:function |^)([A-Za-z_$][\\w$]*)");

  private final String file;
  private final String source;
  private final String text;
  private final List<String> lines;

  ScriptErrors(Path path, String text) {
    this.file = path.toString();
    this.source = String.valueOf(path.getFileName());
    this.text = text;
    this.lines = text.lines().toList();
  }

  String file() {
    return file;
  }

  /** What Rhino calls it. */
  String source() {
    return source;
  }

  String text() {
    return text;
  }

  /**
   * What to say of an error.
   *
   * @param event that the script was called for
   */
  ScriptException of(Throwable error, EventObject event) {
    boolean invalid = error instanceof EvaluatorException && event.words().isEmpty();
    String what =
        switch (error) {
          case RhinoException rhino -> rhino.details();
          case StackOverflowError _ -> "functions call each other too deeply";
          case OutOfMemoryError _ -> "it needs more memory than there is";
          default -> String.valueOf(error.getMessage());
        };
    int line = error instanceof RhinoException rhino ? rhino.lineNumber() : lineOf(error);
    int column = error instanceof RhinoException rhino ? rhino.columnNumber() : 0;
    StringBuilder message = new StringBuilder(invalid ? "script is not valid" : "script failed");
    message.append(": file=").append(file);
    if (line > 0) {
      message.append(" line=").append(line);
      message.append(" column=").append(column > 0 ? column : columnOf(line, what));
    }
    message.append(" error=\"").append(what).append('"');
    if (!event.words().isEmpty()) {
      message.append(" event=\"").append(event.words()).append("\" time_ns=").append(event.time());
    }
    return new ScriptException(message.toString());
  }

  /** What to say of a call that neither ends nor can be ended. */
  ScriptException endless() {
    return new ScriptException(
        "script failed: file="
            + file
            + " error=\"a function of JavaScript's own does not end\"; is an array too long?");
  }

  /** The line of the script that ran, as the machine's stack has it; 0 = unknown. */
  private int lineOf(Throwable error) {
    for (StackTraceElement frame : error.getStackTrace()) {
      if (source.equals(frame.getFileName())) {
        return frame.getLineNumber();
      }
    }
    return 0;
  }

  /**
   * Rhino knows columns only of what it cannot read. Of a failure it is that of the name which the
   * message is about, else that of the first word in the line.
   */
  private int columnOf(int line, String what) {
    String code = line <= lines.size() ? lines.get(line - 1) : "";
    Matcher names = NAMED.matcher(what);
    while (names.find()) {
      String name = names.group(1) == null ? names.group(2) : names.group(1);
      Matcher at = Pattern.compile("\\b" + Pattern.quote(name) + "\\b").matcher(code);
      if (at.find()) {
        return at.start() + 1;
      }
    }
    return code.length() - code.stripLeading().length() + 1;
  }
}
