package dev.kymo.testkit.watch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/** The programs that this process starts: the flight recorder has an event for each. */
final class StartedPrograms implements AutoCloseable {
  private static final String EVENT = "jdk.ProcessStart";
  private static final String KYMO = "dev.kymo.cli.Main";

  private final Recording recording = new Recording();

  /** A program that was started. */
  record Start(Instant time, boolean isKymo) {}

  void begin() {
    recording.enable(EVENT).withoutStackTrace();
    recording.start();
  }

  /** All that were started, in the order of time. */
  List<Start> end() throws IOException {
    recording.stop();
    Path file = Files.createTempFile("started", ".jfr");
    try {
      recording.dump(file);
      List<Start> starts = new ArrayList<>();
      for (RecordedEvent event : RecordingFile.readAllEvents(file)) {
        if (event.getEventType().getName().equals(EVENT)) { // others come unasked
          starts.add(new Start(event.getStartTime(), event.getString("command").contains(KYMO)));
        }
      }
      return starts;
    } finally {
      Files.delete(file);
    }
  }

  @Override
  public void close() {
    recording.close();
  }
}
