package dev.kymo.drain;

import dev.kymo.recorder.Session;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Removes the shared memory of this user's killed recorders: nobody else would ever remove it. */
public final class Leftovers {
  /** A younger directory may still be under construction. */
  private static final Duration SURELY_MADE = Duration.ofSeconds(10);

  private Leftovers() {}

  /** Completes a recording. */
  @FunctionalInterface
  public interface Completion {
    /** Returns when its shared memory is not needed any more. */
    void complete(Path recording) throws IOException;
  }

  /**
   * Removes memory that belongs to no living recorder.
   *
   * @param own the calling recorder's, which is left alone
   * @param completion takes the contents of the memory, if its recording still exists
   */
  public static void remove(Path own, Completion completion) {
    for (Path directory : found(own)) {
      try {
        if (isLeft(directory)) {
          Path recording = recording(directory);
          if (recording != null) {
            completion.complete(recording);
          } else {
            SharedMemory.remove(directory);
          }
        }
      } catch (IOException | RuntimeException e) {
        // perhaps the disk is full: the next recorder tries again
      }
    }
  }

  private static List<Path> found(Path own) {
    List<Path> found = new ArrayList<>();
    for (Path place : SharedMemory.existing(own)) {
      try (DirectoryStream<Path> all = Files.newDirectoryStream(place)) {
        all.forEach(found::add);
      } catch (IOException e) {
        // this user's directory was removed in between
      }
    }
    found.remove(own); // testing its lock would release it
    return found;
  }

  private static boolean isLeft(Path directory) throws IOException {
    if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)
        || RecorderLock.isHeld(directory)
        || Files.getLastModifiedTime(directory)
            .toInstant()
            .isAfter(Instant.now().minus(SURELY_MADE))) {
      return false;
    }
    Owners owners = new Owners(anyone -> true);
    for (Path process : SharedMemory.processes(directory)) {
      Owners.Owner owner = owners.owner(process);
      if (owner != null && owner.isRunning()) {
        return false; // it has not noticed yet that its recorder is dead
      }
    }
    return true;
  }

  /** The recording that waits for the contents of a session's directory; null if there is none. */
  private static @Nullable Path recording(Path directory) {
    try {
      Path recording = Session.load(directory).recording();
      return RecordingDirectory.sharedMemory(recording).equals(directory) ? recording : null;
    } catch (IOException | RuntimeException e) {
      return null;
    }
  }
}
