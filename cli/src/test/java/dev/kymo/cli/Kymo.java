package dev.kymo.cli;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * What a command said.
 *
 * @param code exit code
 */
public record Kymo(int code, String out, String err) {
  /** Runs a command in this process. */
  public static Kymo run(Object... args) {
    String[] words = new String[args.length];
    for (int i = 0; i < args.length; i++) {
      words[i] = args[i].toString();
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int code = run(words, out, new PrintStream(err, true, StandardCharsets.UTF_8));
    return new Kymo(
        code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }

  /** Runs a command whose output goes elsewhere; returns its exit code. */
  public static int run(String[] words, OutputStream out, PrintStream err) {
    return Main.run(words, out, err);
  }
}
