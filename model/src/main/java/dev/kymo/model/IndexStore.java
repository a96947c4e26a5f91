package dev.kymo.model;

import dev.kymo.reader.Recording;
import dev.kymo.reader.StreamFile;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where a recording's index lies: the directory {@code .index} inside it, which other readers
 * ignore. It can be deleted at any time and is then made anew.
 *
 * <pre>
 *   level-N   chunks of slices, see ZoomLevels     contents   everything else, written last
 *   states    of threads, see Snapshot             lock       held by whoever writes
 * </pre>
 *
 * <p>Who cannot write there, because of its rights or because somebody else does, makes an index
 * for itself in the directory for temporary files.
 */
final class IndexStore implements AutoCloseable {
  static final String DIRECTORY = ".index";
  private static final String CONTENTS = "contents";

  /** To be raised with every change of what the files mean. */
  private static final int VERSION = 8;

  private static final int MAGIC = 0x7864694b; // Kidx

  private final Path directory;
  private final boolean temporary;
  private final @Nullable FileChannel lock;
  private final List<IndexFile> files = new ArrayList<>();
  private boolean finished;

  private IndexStore(Path directory, boolean temporary, @Nullable FileChannel lock) {
    this.directory = directory;
    this.temporary = temporary;
    this.lock = lock;
  }

  /** An existing index. */
  static IndexStore existing(Recording recording) {
    return new IndexStore(recording.path().resolve(DIRECTORY), false, null);
  }

  /** Room for a new index, empty. */
  static IndexStore create(Recording recording) throws IOException {
    Path directory = recording.path().resolve(DIRECTORY);
    FileChannel lock = null;
    try {
      Files.createDirectories(directory);
      lock =
          FileChannel.open(
              directory.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      FileLock held = lock.tryLock();
      if (held != null) {
        clear(directory);
        return new IndexStore(directory, false, lock);
      }
    } catch (IOException | OverlappingFileLockException e) {
      // The recording is read-only, or another index is being written: make one of our own.
    }
    if (lock != null) {
      lock.close();
    }
    return temporary();
  }

  /** Room that is given up with the process. */
  static IndexStore temporary() throws IOException {
    Path own = Files.createTempDirectory("kymo-index");
    own.toFile().deleteOnExit();
    return new IndexStore(own, true, null);
  }

  private static void clear(Path directory) throws IOException {
    try (DirectoryStream<Path> old = Files.newDirectoryStream(directory)) {
      for (Path file : old) {
        if (!file.endsWith("lock")) {
          Files.delete(file);
        }
      }
    }
  }

  IndexFile newLevel(int level) throws IOException {
    return created("level-" + level);
  }

  IndexFile newStates() throws IOException {
    return created("states");
  }

  private IndexFile created(String name) throws IOException {
    Path path = directory.resolve(name);
    if (temporary) {
      path.toFile().deleteOnExit();
    }
    return added(IndexFile.create(path));
  }

  IndexFile level(int level) throws IOException {
    return added(IndexFile.open(directory.resolve("level-" + level)));
  }

  IndexFile states() throws IOException {
    return added(IndexFile.open(directory.resolve("states")));
  }

  private IndexFile added(IndexFile file) {
    files.add(file);
    return file;
  }

  /** Writes what is not in the other files. */
  @FunctionalInterface
  interface Writer {
    void write(Contents to);
  }

  /** Completes the index: from now on it can be opened. */
  void finish(Recording recording, Writer writer) throws IOException {
    if (temporary) {
      return;
    }
    Path written = directory.resolve(CONTENTS + ".new");
    try (IndexFile file = IndexFile.create(written)) {
      Contents contents = new Contents(file);
      writeHead(recording, contents.next());
      writer.write(contents);
      contents.finish();
    }
    Files.move(written, directory.resolve(CONTENTS), StandardCopyOption.ATOMIC_MOVE);
    finished = true;
    if (lock != null) {
      lock.close();
    }
  }

  /** The contents, if there are any that were made of these very files by this version. */
  Contents.@Nullable Reader contents(Recording recording) throws IOException {
    Path path = directory.resolve(CONTENTS);
    if (!Files.isRegularFile(path)) {
      return null;
    }
    Contents.Reader contents = new Contents.Reader(added(IndexFile.open(path)));
    Bytes expected = new Bytes();
    writeHead(recording, expected);
    return contents.next().passes(expected) ? contents : null;
  }

  /** What the index is made of; another head is another recording, or another index. */
  private static void writeHead(Recording recording, Bytes to) throws IOException {
    to.fixed(MAGIC).number(VERSION);
    to.text(recording.metadata().uuid().toString());
    for (List<StreamFile> streams :
        List.of(
            recording.definitionStreams(), recording.threadStreams(), recording.countStreams())) {
      to.number(streams.size());
      for (StreamFile stream : streams) {
        Path path = recording.path().resolve(stream.name());
        to.text(stream.name()).number(stream.size());
        to.number(Files.getLastModifiedTime(path).toMillis());
      }
    }
  }

  @Override
  public void close() {
    try {
      for (IndexFile file : files) {
        file.close();
      }
      if (lock != null && !finished) {
        clear(directory); // half an index is none
      }
      if (lock != null) {
        lock.close();
      }
      if (temporary) {
        clear(directory);
        Files.delete(directory);
      }
    } catch (IOException e) {
      // What is left can be deleted by anybody, and is made anew where it is in the way.
    }
  }
}
