package dev.kymo.drain;

import dev.kymo.format.Clock;
import dev.kymo.format.Definition;
import dev.kymo.format.MetadataText;
import dev.kymo.recorder.Session;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;

/**
 * Writes the contents of the flight recorder's rings as recordings beside the current one: {@code
 * NAME-1.kymo}, {@code NAME-2.kymo}... The programs run on undisturbed; packets that they overwrite
 * during the copy are left out.
 */
final class Snapshots {
  private static final String SUFFIX = ".kymo";

  private final Session session;
  private final Path recording;
  private int taken;

  Snapshots(Session session, Path recording) {
    this.session = session;
    this.recording = recording.toAbsolutePath();
  }

  /**
   * Writes the next snapshot, and says so. A full disk must not end the recording here.
   *
   * @param running processes whose rings are copied
   * @param calibration the clock so far
   * @param reasons why it is taken, as far as somebody wants to read that in it
   * @param told takes a sentence about what was done, or why not, and each reason's line
   */
  void take(
      Collection<ProcessDrain> running,
      ClockCalibration calibration,
      List<RecordWatch.Reason> reasons,
      Consumer<String> told) {
    List<String> lines = new ArrayList<>();
    try {
      Path path = write(running, calibration, reasons, lines);
      told.accept("snapshot written: " + path.getFileName());
    } catch (IOException e) {
      told.accept("no snapshot could be written: error=\"" + e.getMessage() + "\"");
    }
    lines.forEach(told);
  }

  private Path write(
      Collection<ProcessDrain> running,
      ClockCalibration calibration,
      List<RecordWatch.Reason> reasons,
      List<String> lines)
      throws IOException {
    Path target = next();
    Path unfinished = target.resolveSibling("." + target.getFileName() + ".unfinished");
    Files.createDirectory(
        unfinished,
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    long base = Long.MAX_VALUE;
    for (ProcessDrain process : running) {
      base =
          Math.min(
              base, process.copyRings(unfinished)); // then the definitions of everything in them
    }
    copyRest(unfinished);
    Clock clock = calibration.clock();
    for (RecordWatch.Reason reason : reasons) {
      lines.add(reason.text(target, clock, base));
    }
    try (RecorderStream own = new RecorderStream(unfinished, session.uuid())) {
      for (ProcessDrain process : running) {
        Definition.ProcessEnd end = process.end();
        own.write(calibration.now(), end);
      }
      for (String line : lines) {
        own.write(calibration.now(), new Definition.Notice(0, line));
      }
    }
    Files.writeString(
        unfinished.resolve("metadata"), MetadataText.of(session.uuid(), clock, List.of()));
    return Files.move(unfinished, target, StandardCopyOption.ATOMIC_MOVE);
  }

  private void copyRest(Path to) throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(recording, "p*")) {
      for (Path file : files) {
        Path copy = to.resolve(file.getFileName());
        if (!Files.exists(copy)) {
          Files.copy(file, copy);
        }
      }
    }
  }

  private Path next() {
    String name = recording.getFileName().toString();
    String stem = name.endsWith(SUFFIX) ? name.substring(0, name.length() - SUFFIX.length()) : name;
    Path target;
    do {
      taken++;
      target = recording.resolveSibling(stem + "-" + taken + SUFFIX);
    } while (Files.exists(target));
    return target;
  }
}
