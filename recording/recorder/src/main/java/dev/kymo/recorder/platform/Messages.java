package dev.kymo.recorder.platform;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;

/** The recorder's messages inside a recorded program; they are rare. */
public final class Messages {
  private Messages() {}

  /**
   * Prints a line to standard error, past whatever the program has made of {@code System.err}.
   * Never throws: whoever prints may be in the middle of the program's code.
   */
  public static void print(String text) {
    boolean begun = false;
    try {
      begun = RecorderWork.begin();
      byte[] line = ("kymo: " + text + "\n").getBytes(StandardCharsets.UTF_8);
      Privileged.run(
          new Runnable() {
            @Override
            public void run() {
              write(line);
            }
          });
    } catch (RuntimeException | Error e) {
      Faults.throwIfPrograms(e); // otherwise there is nobody to report to
    } finally {
      RecorderWork.end(begun);
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

  /** Says that recording stops, and why. */
  public static void fault(String what, Throwable cause, boolean inDetail) {
    print(what + ", recording of this process stops: " + describe(cause));
    if (inDetail) {
      StringWriter text = new StringWriter();
      cause.printStackTrace(new PrintWriter(text));
      print(text.toString().stripTrailing());
    }
  }

  /** What an exception says; its own methods may be the program's, and fail. */
  private static String describe(Throwable cause) {
    try {
      return cause.toString();
    } catch (RuntimeException | Error e) {
      return cause.getClass().getName();
    }
  }
}
