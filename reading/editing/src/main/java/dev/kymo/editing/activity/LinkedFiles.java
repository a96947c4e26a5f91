package dev.kymo.editing.activity;

import dev.kymo.format.InstructionLayout;
import dev.kymo.reader.Recording;
import dev.kymo.reader.SafeDirectory;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Puts the files of a recording into another directory: as further names of the same files if both
 * are on one disk, else as copies.
 */
final class LinkedFiles {
  private final SafeDirectory from;
  private final Path to;
  private boolean linked;

  private LinkedFiles(SafeDirectory from, Path to, boolean linked) {
    this.from = from;
    this.to = to;
    this.linked = linked;
  }

  /**
   * Puts them there. What a running recorder still writes is copied as it is now.
   *
   * @param directory an empty one
   */
  static void into(Path directory, Recording recording) throws IOException {
    boolean complete = !recording.isGrowing();
    SafeDirectory from = recording.directory();
    new LinkedFiles(from, directory, complete).put();
    if (recording.instructions() != null) {
      try (SafeDirectory inner = from.inner(InstructionLayout.DIRECTORY)) {
        Path to = Files.createDirectory(directory.resolve(InstructionLayout.DIRECTORY));
        new LinkedFiles(inner, to, complete).put();
      }
    }
  }

  private void put() throws IOException {
    for (String name : from.names()) {
      if (!name.startsWith(".") && from.isFile(name)) {
        put(name);
      }
    }
  }

  private void put(String name) throws IOException {
    if (linked) {
      try {
        Files.createLink(to.resolve(name), from.path().resolve(name));
        return;
      } catch (IOException | UnsupportedOperationException e) {
        linked = false; // another disk, or another user's file
      }
    }
    copy(name);
  }

  private void copy(String name) throws IOException {
    try (FileChannel in = from.read(name);
        FileChannel out =
            FileChannel.open(
                to.resolve(name), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      long size = in.size();
      long done = 0;
      while (done < size) {
        long more = in.transferTo(done, size - done, out);
        if (more <= 0) {
          return; // it has become shorter
        }
        done += more;
      }
    }
  }
}
