package dev.kymo.importers.uftrace.data;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Source lines and arguments of functions, {@code NAME.dbg}:
 *
 * <pre>
 * F: 1249 fib
 * L: 7 a.c
 * A: @arg1/s,fparg1/64
 * R: @retval
 * </pre>
 */
public final class DebugFile {
  private static final int MOST = 2_000_000;

  private final Map<Long, Function> functions = new HashMap<>();
  private @Nullable Function last;

  /** What is known of a function. */
  public static final class Function {
    private int line;
    private String file = "";
    private String arguments = "";
    private String result = "";

    /** Its first line; 0 if it is not known. */
    public int line() {
      return line;
    }

    public String file() {
      return file;
    }

    String arguments() {
      return arguments;
    }

    String result() {
      return result;
    }
  }

  private DebugFile() {}

  static DebugFile read(Path file) throws IOException {
    DebugFile debug = new DebugFile();
    if (Files.isRegularFile(file)) {
      TextLines.each(file, MOST, debug::line);
    }
    return debug;
  }

  /** The function that begins at an address; null if nothing is known of it. */
  @Nullable Function at(long address) {
    return functions.get(address);
  }

  private void line(String line) {
    if (line.length() < 4 || line.charAt(1) != ':') {
      return;
    }
    String rest = line.substring(3).strip();
    String[] parts = rest.split(" ", 2);
    Function function = last;
    try {
      if (line.charAt(0) == 'F') {
        function = new Function();
        functions.put(Long.parseUnsignedLong(parts[0], 16), function);
        last = function;
      } else if (function != null && line.charAt(0) == 'L' && parts.length == 2) {
        function.line = Integer.parseInt(parts[0]);
        function.file = parts[1];
      } else if (function != null && line.charAt(0) == 'A') {
        function.arguments = rest;
      } else if (function != null && line.charAt(0) == 'R') {
        function.result = rest;
      }
    } catch (NumberFormatException e) {
      last = null;
    }
  }
}
