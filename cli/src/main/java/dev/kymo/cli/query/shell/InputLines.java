package dev.kymo.cli.query.shell;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Questions from a pipe or a file. */
public final class InputLines implements Lines {
  private final BufferedReader in;

  /** From what is UTF-8. */
  public InputLines(InputStream in) {
    this.in = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
  }

  @Override
  public @Nullable String next() throws IOException {
    StringBuilder text = new StringBuilder();
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      text.append(line).append('\n');
      if (Lines.isWhole(text.toString())) {
        return text.toString().strip();
      }
    }
    return text.isEmpty() ? null : text.toString().strip(); // the last one needs no semicolon
  }

  @Override
  public void during(Runnable cancel, Runnable work) {
    work.run();
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
