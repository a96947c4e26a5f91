package dev.kymo.drain;

import dev.kymo.format.Redaction;
import dev.kymo.recorder.Session;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/**
 * Completes a recording whose recorder was killed: takes the records that its shared memory still
 * holds, and removes the memory. Commands that open a recording call this first.
 */
public final class Salvage {
  /** What a receiver writes in place of a path. */
  private static final String AT_SENDER = "at its sender";

  private Salvage() {}

  /** The state in which a recording was found. */
  public enum Outcome {
    /** The recording is complete. */
    NOTHING,
    IN_PROGRESS,
    /** The rest was taken from shared memory. */
    TAKEN,
    /** It comes from another machine, and its sender has not sent the rest yet. */
    NOT_RECEIVED,
    /** The shared memory is gone, for instance by a restart of the machine. */
    GONE
  }

  /**
   * Completes a recording if necessary. It touches only shared memory that a recorder of this user
   * left in the usual place: a recording may come from anybody.
   *
   * @throws IOException if the rest cannot be read or written
   */
  public static Outcome salvage(Path recording) throws IOException {
    if (!isUnfinished(recording)) {
      return Outcome.NOTHING;
    }
    try {
      return complete(recording);
    } catch (RuntimeException e) {
      throw new IOException("what is left of it cannot be understood: " + e, e);
    }
  }

  private static boolean isUnfinished(Path recording) {
    return Files.isRegularFile(recording.resolve(".rings"), LinkOption.NOFOLLOW_LINKS);
  }

  private static Outcome complete(Path recording) throws IOException {
    try (RecordingDirectory directory = RecordingDirectory.takeOver(recording)) {
      if (directory == null) {
        return isUnfinished(recording) ? Outcome.IN_PROGRESS : Outcome.NOTHING;
      }
      Path sharedMemory = RecordingDirectory.sharedMemory(recording);
      if (sharedMemory.toString().equals(AT_SENDER)) {
        return Outcome.NOT_RECEIVED;
      }
      if (SharedMemory.isInContainer(sharedMemory)) {
        return takeFromContainer(sharedMemory, directory);
      }
      if (!Files.exists(sharedMemory, LinkOption.NOFOLLOW_LINKS)) {
        directory.finish();
        return Outcome.GONE;
      }
      if (!SharedMemory.isPlace(sharedMemory, recording)) {
        throw new IOException(
            "its shared memory is not where recorders of this user leave theirs: directory="
                + sharedMemory
                + "; if it is yours, set "
                + SharedMemory.VARIABLE
                + " as when it was recorded");
      }
      return take(sharedMemory, sharedMemory, directory);
    }
  }

  private static Outcome takeFromContainer(Path sharedMemory, RecordingDirectory directory)
      throws IOException {
    try (ContainerMemory memory = ContainerMemory.open(sharedMemory)) {
      if (memory == null) {
        directory.finish();
        return Outcome.GONE;
      }
      return take(memory.path(), sharedMemory, directory);
    }
  }

  /**
   * Takes what is in shared memory, and removes it.
   *
   * @param from where it is read
   * @param name where it is
   */
  private static Outcome take(Path from, Path name, RecordingDirectory directory)
      throws IOException {
    if (!Files.isRegularFile(from.resolve("session"), LinkOption.NOFOLLOW_LINKS)) {
      directory.finish();
      return Outcome.GONE;
    }
    Session session = Session.load(from);
    if (!Files.readString(directory.path().resolve("metadata"))
        .contains(session.uuid().toString())) {
      throw new IOException("it belongs to another recording: directory=" + name);
    }
    ClockCalibration clock = new ClockCalibration(session.clock());
    try (Drainer drainer = new Drainer(session, directory, clock, Redaction.USUAL, message -> {})) {
      drainer.salvage();
    }
    SharedMemory.remove(name);
    return Outcome.TAKEN;
  }
}
