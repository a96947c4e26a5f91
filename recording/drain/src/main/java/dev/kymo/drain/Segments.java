package dev.kymo.drain;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * Limits the size of a recording by dropping its oldest part. Thread streams are written in
 * segments, one file each. The segments that begin at about the same time are a generation; when
 * there are too many generations, the files of the oldest are deleted. Each segment is a stream by
 * itself.
 */
final class Segments {
  private final long most;
  private final int kept;
  private final TreeMap<Integer, List<Path>> files = new TreeMap<>();
  private int generation;
  private long written;

  /**
   * Begins the first generation.
   *
   * @param most maximum bytes of a generation; 0 = it lasts forever
   * @param kept number of generations to keep
   */
  Segments(long most, int kept) {
    this.most = most;
    this.kept = kept;
  }

  /** Whether there can be more than one generation. */
  boolean areBounded() {
    return most > 0;
  }

  /** The generation that is being written, from 0. */
  int generation() {
    return generation;
  }

  boolean hasDropped() {
    return generation >= kept;
  }

  Path file(Path stream) {
    Path file =
        generation == 0 ? stream : stream.resolveSibling(stream.getFileName() + "-g" + generation);
    files.computeIfAbsent(generation, g -> new ArrayList<>()).add(file);
    return file;
  }

  /** Counts written bytes; may begin the next generation. */
  void wrote(long bytes) {
    written += bytes;
    if (most > 0 && written >= most) {
      written = 0;
      generation++;
    }
  }

  /** The newest existing segment of a stream, perhaps the stream itself. */
  static Path newest(Path stream) throws IOException {
    Path newest = stream;
    int number = 0;
    String prefix = stream.getFileName() + "-g";
    try (DirectoryStream<Path> all =
        Files.newDirectoryStream(stream.toAbsolutePath().getParent(), prefix + "*")) {
      for (Path file : all) {
        int of = Integer.parseInt(file.getFileName().toString().substring(prefix.length()));
        if (of > number) {
          number = of;
          newest = file;
        }
      }
    }
    return newest;
  }

  /** Files that must be deleted; each is returned once. */
  List<Path> expired() {
    List<Path> expired = new ArrayList<>();
    while (!files.isEmpty() && files.firstKey() <= generation - kept) {
      expired.addAll(files.pollFirstEntry().getValue());
    }
    return expired;
  }
}
