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

  /**
   * Prints a line to standard error, past whatever the program has made of {@code System.err}.
   * Never throws: whoever prints may be in the middle of the program's code.
   */
  public static void print(String text) {
    boolean begun = false;
    try {
      begun = OwnWork.begin();
      byte[] line = ("kymo: " + text + "\n").getBytes(StandardCharsets.UTF_8);
      Privileged.run(
          new Runnable() {
            @Override
            public void run() {
              write(line);
            }
          });
    } catch (RuntimeException | Error e) {
      Faults.throwIfPrograms(e); // else nobody can be told
    } finally {
      OwnWork.end(begun);
    }
  }

  @SuppressWarnings("resource") // closing it would close the program's standard error
  private static void write(byte[] line) {
    try {
      new FileOutputStream(FileDescriptor.err).write(line);
    } catch (IOException e) {
      // nobody listens
    }
  }

  /** What an exception says; its own methods may be the program's, and fail. */
  static String describe(Throwable cause) {
    try {
      return cause.toString();
    } catch (RuntimeException | Error e) {
      return cause.getClass().getName();
    }
  }
}
