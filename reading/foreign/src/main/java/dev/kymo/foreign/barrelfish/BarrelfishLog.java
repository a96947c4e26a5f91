package dev.kymo.foreign.barrelfish;

import dev.kymo.writer.RecordingFiles;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A trace log of Barrelfish in a file. It is read twice: names and the meaning of numbers may come
 * after the events that need them.
 */
public final class BarrelfishLog {
  /** A file that has no line of a log up to this line is not a log. */
  private static final long MAX_NOISE = 1_000_000;

  private BarrelfishLog() {}

  /**
   * Makes a recording of a log.
   *
   * @param log file
   * @param directory empty, becomes the recording
   * @param frequency of the processor, cycles a second; 0 = unknown
   * @param names what the numbers of events mean; null = to be guessed from the numbers
   * @return what is in the log
   * @throws NotALogException if no line belongs to a log
   * @throws IOException if the log cannot be read or the recording cannot be written
   */
  public static LogFacts convert(
      Path log, Path directory, long frequency, @Nullable EventNames names) throws IOException {
    LogFacts facts = facts(log, names);
    String name = String.valueOf(log.getFileName());
    CycleClock clock = new CycleClock(frequency);
    List<String> notices = new ArrayList<>(clock.notices());
    notices.add("made of a Barrelfish trace log: file=" + name + " " + facts);
    RecordingFiles files = RecordingFiles.create(directory, clock.clock());
    try (LogWriter writer = new LogWriter(files, facts, new Mishaps(name))) {
      writer.begin(name, notices);
      read(
          log,
          (line, number) -> {
            writer.add(line, number);
            return true;
          });
    }
    return facts;
  }

  private static LogFacts facts(Path log, @Nullable EventNames names) throws IOException {
    LogFacts facts = new LogFacts(names);
    read(
        log,
        (line, number) -> {
          facts.add(line);
          return facts.understood() > 0 || number < MAX_NOISE;
        });
    if (facts.understood() == 0) {
      throw new NotALogException(
          "not a Barrelfish trace log, nor a recording: path=%s lines=%d"
              .formatted(log, facts.lines()));
    }
    return facts;
  }

  /** Takes lines. */
  private interface Taker {
    /** Returns whether it wants the next line. */
    boolean take(LogLine line, long number) throws IOException;
  }

  private static void read(Path log, Taker taker) throws IOException {
    try (InputStream in = Files.newInputStream(log)) {
      LineReader lines = new LineReader(in);
      boolean more = true;
      while (more) {
        @Nullable String line = lines.next();
        more = line != null && taker.take(LineParser.parse(line), lines.number());
      }
    }
  }
}
