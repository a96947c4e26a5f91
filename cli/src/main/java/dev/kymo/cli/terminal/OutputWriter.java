package dev.kymo.cli.terminal;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** A command's output. Its errors end the command, quietly if nobody reads it any more. */
final class OutputWriter extends Writer {
  private static final int EPIPE = 32;
  private static final int MAX_TEXT = 256;

  private static final int BUFFER = 64 << 10;

  private final OutputStream stream;
  private final Writer to;

  /** The error was reported; later errors are not. */
  private boolean ended;

  OutputWriter(OutputStream stream) {
    this.stream = stream;
    this.to = new BufferedWriter(new OutputStreamWriter(stream, StandardCharsets.UTF_8), BUFFER);
  }

  /** Writes UTF-8. */
  void write(byte[] bytes, int length) {
    try {
      if (!ended) {
        to.flush();
        stream.write(bytes, 0, length);
      }
    } catch (IOException e) {
      throw ending(e);
    }
  }

  @Override
  public void write(char[] chars, int from, int length) {
    try {
      if (!ended) {
        to.write(chars, from, length);
      }
    } catch (IOException e) {
      throw ending(e);
    }
  }

  @Override
  public void write(String text, int from, int length) {
    try {
      if (!ended) {
        to.write(text, from, length);
      }
    } catch (IOException e) {
      throw ending(e);
    }
  }

  @Override
  public void flush() {
    try {
      if (!ended) {
        to.flush();
      }
    } catch (IOException e) {
      throw ending(e);
    }
  }

  @Override
  public void close() {
    flush();
  }

  private RuntimeException ending(IOException e) {
    ended = true;
    return isClosed(e) ? new ClosedOutputException(e) : new OutputException(e);
  }

  /** Java keeps only C's text of an error, which is in the user's language, not its number. */
  private static boolean isClosed(IOException e) {
    return List.of("Broken pipe", "Pipe closed", errorText())
        .contains(String.valueOf(e.getMessage()));
  }

  @SuppressWarnings("restricted")
  private static String errorText() {
    try {
      Linker linker = Linker.nativeLinker();
      MemorySegment text =
          (MemorySegment)
              linker
                  .downcallHandle(
                      linker.defaultLookup().find("strerror").orElseThrow(),
                      FunctionDescriptor.of(ValueLayout.ADDRESS, ValueLayout.JAVA_INT))
                  .invokeExact(EPIPE);
      return text.reinterpret(MAX_TEXT).getString(0);
    } catch (Throwable e) {
      return "EPIPE";
    }
  }
}
