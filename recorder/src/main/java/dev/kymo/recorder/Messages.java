package dev.kymo.recorder;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** What the recorder has to say inside a recorded program: rarely anything. */
public final class Messages {
  /** Exit code of a program whose agent failed under {@code --strict}. */
  public static final int STRICT_EXIT = 70;

  private Messages() {}

  /** Prints a line to standard error, past whatever the program has made of {@code System.err}. */
  @SuppressWarnings("resource") // closing it would close the program's standard error
  public static void print(String text) {
    try {
      new FileOutputStream(FileDescriptor.err)
          .write(("kymo: " + text + "\n").getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      // nobody listens
    }
  }
}
