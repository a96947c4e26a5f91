package dev.kymo.cli.options;

import dev.kymo.reader.Recording;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A directory with recordings, such as those of a session that {@code kymo listen} received. */
public final class SessionFolder {
  private SessionFolder() {}

  /** The recordings in a directory, by their names; none if it is no directory with recordings. */
  public static List<Path> recordings(Path directory) throws IOException {
    List<Path> found = new ArrayList<>();
    if (Files.isDirectory(directory)
        && !Recording.isRecording(directory)
        && !LogOptions.isForeign(directory)) {
      try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
        for (Path entry : entries) {
          if (Recording.isRecording(entry)) {
            found.add(entry);
          }
        }
      }
    }
    found.sort(null);
    return found;
  }
}
