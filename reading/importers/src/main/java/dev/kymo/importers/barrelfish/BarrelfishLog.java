package dev.kymo.importers.barrelfish;

import dev.kymo.importers.target.CountedInput;
import dev.kymo.importers.target.ImportProgress;
import dev.kymo.writer.RecordingFiles;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A trace log of Barrelfish in a file. It is read twice: names and the meaning of numbers may come
 * after the events that need them.
 */
public final class BarrelfishLog {
  /** A file that has no line of a log in its first bytes is not a log; so many are read. */
  static final int MOST_NOISE = 16 << 20;

  private BarrelfishLog() {}

  /**
   * Makes a recording of a log.
   *
   * @param log file
   * @param directory empty, becomes the recording
   * @param frequency of the processor, cycles a second; 0 = unknown
   * @param names what the numbers of events mean; null = to be guessed from the numbers
   * @param progress hears how much was read of the log, which is read twice
   * @return what is in the log
   * @throws NotALogException if no line belongs to a log
   * @throws IOException if the log cannot be read or the recording cannot be written
   */
  public static LogFacts convert(
      Path log, Path directory, long frequency, @Nullable EventNames names, ImportProgress progress)
      throws IOException {
    long all = 2 * Files.size(log);
    LogFacts facts = facts(log, names, done -> progress.at(done, all));
    String name = String.valueOf(log.getFileName());
    CycleClock clock = new CycleClock(frequency);
    List<String> notices = new ArrayList<>(clock.notices());
    notices.add("made of a Barrelfish trace log: file=" + name + " " + facts);
    RecordingFiles files = RecordingFiles.create(directory, clock.clock());
    try (LogWriter writer = new LogWriter(files, facts, new Mishaps(name))) {
      writer.begin(name, notices);
      try (InputStream in = CountedInput.open(log, done -> progress.at(all / 2 + done, all))) {
        LineReader lines = new LineReader(in);
        for (String line = lines.next(); line != null; line = lines.next()) {
          writer.add(LineParser.parse(line), lines.number());
        }
      }
    }
    progress.at(all, all);
    return facts;
  }

  private static LogFacts facts(Path log, @Nullable EventNames names, LongConsumer progress)
      throws IOException {
    LogFacts facts = new LogFacts(names);
    try (InputStream in = CountedInput.open(log, progress)) {
      LineReader lines = new LineReader(in, MOST_NOISE);
      for (String line = lines.next(); line != null; line = lines.next()) {
        facts.add(LineParser.parse(line));
        if (facts.understood() > 0) {
          lines.readAll();
        }
      }
    }
    if (facts.understood() == 0) {
      throw new NotALogException(
          "not a Barrelfish trace log, nor a recording: path=%s lines=%d"
              .formatted(log, facts.lines()));
    }
    return facts;
  }
}
