package dev.kymo.cli;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * What a command said.
 *
 * @param code exit code
 */
record Kymo(int code, String out, String err) {
  /** Runs a command in this process. */
  static Kymo run(Object... args) {
    String[] words = new String[args.length];
    for (int i = 0; i < args.length; i++) {
      words[i] = args[i].toString();
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int code = Main.run(words, out, new PrintStream(err, true, StandardCharsets.UTF_8));
    return new Kymo(
        code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }
}
