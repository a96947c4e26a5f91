package dev.kymo.model.index;

import dev.kymo.reader.Recording;
import dev.kymo.reader.SafeDirectory;
import dev.kymo.reader.StreamSource;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Place of a recording's index: the directory {@code .index} inside it, which other readers ignore.
 * It can be deleted at any time and is then made again.
 *
 * <pre>
 *   level-N   chunks of slices, see ZoomLevels     contents   everything else, written last
 *   states    of threads, see Snapshot             lock       held by whoever writes
 *   totals    made of the whole recording later, see Annex
 * </pre>
 *
 * <p>A recording may come from anybody, so nothing is written or deleted except files of these
 * names in a directory that is not a link and belongs to the user. A process that cannot write
 * there, because of that or because another process writes, makes an index of its own in the
 * directory for temporary files.
 */
public final class IndexStore implements AutoCloseable {
  static final String DIRECTORY = ".index";
  private static final String CONTENTS = "contents";
  private static final String NEW_CONTENTS = "contents.new";
  private static final String STATES = "states";
  private static final String LEVEL = "level-";
  private static final String LOCK = "lock";

  /** To be raised with every change of what the files mean. */
  private static final int VERSION = 15;

  private static final int MAGIC = 0x7864694b; // Kidx

  private final SafeDirectory directory;

  /** Why this is not in the recording; empty if it is. */
  private final String elsewhere;

  private final @Nullable FileChannel lock;
  private final List<IndexFile> files = new ArrayList<>();
  private boolean finished;
  private volatile boolean givenUp;

  private IndexStore(SafeDirectory directory, String elsewhere, @Nullable FileChannel lock) {
    this.directory = directory;
    this.elsewhere = elsewhere;
    this.lock = lock;
  }

  /**
   * An existing index.
   *
   * @throws IOException if there is none
   */
  public static IndexStore existing(Recording recording) throws IOException {
    return new IndexStore(recording.directory().inner(DIRECTORY), "", null);
  }

  public static IndexStore create(Recording recording) throws IOException {
    SafeDirectory directory = null;
    FileChannel lock = null;
    String why;
    try {
      directory = own(recording.directory());
      lock = directory.lockFile(LOCK);
      FileLock held = lock.tryLock();
      if (held != null) {
        clear(directory);
        return new IndexStore(directory, "", lock);
      }
      why = "another process is writing it";
    } catch (OverlappingFileLockException e) {
      why = "it is being written";
    } catch (NotDirectoryException e) {
      why = DIRECTORY + " is not a directory";
    } catch (AccessDeniedException e) {
      why = "it is not writable";
    } catch (IOException e) {
      why = String.valueOf(e.getMessage());
    }
    if (lock != null) {
      lock.close();
    }
    if (directory != null) {
      directory.close();
    }
    return temporary(why);
  }

  /** The directory for the index, if everything in it can only be the user's. */
  private static SafeDirectory own(SafeDirectory recording) throws IOException {
    Path path = recording.path().resolve(DIRECTORY);
    if (recording.isOwn()) {
      try {
        Files.createDirectory(
            path,
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
      } catch (FileAlreadyExistsException e) {
        // It is checked below.
      }
    } else if (!recording.names().contains(DIRECTORY)) {
      throw new IOException("the recording belongs to another user");
    }
    if (recording.attributes(DIRECTORY).isSymbolicLink()) {
      throw new IOException(DIRECTORY + " is a link, which is not followed");
    }
    SafeDirectory directory = recording.inner(DIRECTORY);
    if (!directory.isOwn()) {
      directory.close();
      throw new IOException(DIRECTORY + " belongs to another user");
    }
    return directory;
  }

  /**
   * Room that is deleted when the process ends.
   *
   * @param why it is not in the recording
   */
  public static IndexStore temporary(String why) throws IOException {
    return new IndexStore(SafeDirectory.open(Scratch.make("index").path()), why, null);
  }

  /** Why the index is not in the recording; empty if it is. */
  public String elsewhere() {
    return elsewhere;
  }

  private boolean temporary() {
    return !elsewhere.isEmpty();
  }

  private static void clear(SafeDirectory directory) throws IOException {
    for (String name : directory.names()) {
      if (isOurs(name)) {
        directory.delete(name);
      }
    }
  }

  /** Other files there were put there by somebody else. */
  private static boolean isOurs(String name) {
    return name.equals(CONTENTS)
        || name.equals(NEW_CONTENTS)
        || name.equals(STATES)
        || name.equals(AnnexFile.NAME)
        || name.equals(AnnexFile.NEW_NAME)
        || name.startsWith(LEVEL);
  }

  public IndexFile newLevel(int level) throws IOException {
    return created(LEVEL + level);
  }

  public IndexFile newStates() throws IOException {
    return created(STATES);
  }

  private IndexFile created(String name) throws IOException {
    if (temporary()) {
      directory.path().resolve(name).toFile().deleteOnExit();
    }
    return added(IndexFile.create(directory, name));
  }

  public IndexFile level(int level) throws IOException {
    return added(IndexFile.open(directory, LEVEL + level));
  }

  public IndexFile states() throws IOException {
    return added(IndexFile.open(directory, STATES));
  }

  private IndexFile added(IndexFile file) {
    files.add(file);
    return file;
  }

  /** Writes what is not in the other files. */
  @FunctionalInterface
  public interface Writer {
    void write(Contents to);
  }

  /** Completes the index: from now on it can be opened. */
  public void finish(Recording recording, Writer writer) throws IOException {
    if (temporary()) {
      return;
    }
    try (IndexFile file = IndexFile.create(directory, NEW_CONTENTS)) {
      Contents contents = new Contents(file);
      writeHead(recording, contents.next());
      writer.write(contents);
      contents.finish();
    }
    directory.rename(NEW_CONTENTS, CONTENTS);
    finished = true;
    if (lock != null) {
      lock.close();
    }
  }

  /**
   * Keeps nothing of an unfinished index in the recording, so that others can make one there; what
   * this one has can be read until it is closed.
   */
  public void giveUp() throws IOException {
    if (lock != null && !finished && !givenUp) {
      givenUp = true;
      clear(directory);
      lock.close();
    }
  }

  /** The contents, if there are any that were made of these very files by this version. */
  public Contents.@Nullable Reader contents(Recording recording) throws IOException {
    if (!directory.isFile(CONTENTS)) {
      return null;
    }
    Contents.Reader contents = new Contents.Reader(added(IndexFile.open(directory, CONTENTS)));
    ByteWriter expected = new ByteWriter();
    writeHead(recording, expected);
    return contents.next().passes(expected) ? contents : null;
  }

  /** Room for what is made of the whole recording. */
  public Annex annex(Recording recording) {
    return temporary() ? Annex.inMemory() : new Annex(new Totals(recording));
  }

  /** The bytes of the annex, in a file. */
  private final class Totals implements Annex.Store {
    private final Recording recording;

    Totals(Recording recording) {
      this.recording = recording;
    }

    @Override
    public byte @Nullable [] read() {
      try {
        return givenUp ? null : AnnexFile.read(directory, head());
      } catch (IOException e) {
        return null; // they can be made again
      }
    }

    @Override
    public void write(byte[] bytes) {
      try (SafeDirectory own = own(recording.directory())) {
        if (!givenUp && own.isFile(CONTENTS)) {
          AnnexFile.write(own, LOCK, head(), bytes);
        }
      } catch (IOException e) {
        // Then the next who opens the recording makes them again.
      }
    }

    private ByteWriter head() throws IOException {
      ByteWriter head = new ByteWriter();
      writeHead(recording, head);
      return head;
    }
  }

  /** Identifies what the index is made of; a different head means another recording or index. */
  private static void writeHead(Recording recording, ByteWriter to) throws IOException {
    to.fixed(MAGIC).number(VERSION);
    to.text(recording.metadata().uuid().toString());
    for (List<StreamSource> streams :
        List.of(
            recording.definitionStreams(), recording.threadStreams(), recording.countStreams())) {
      to.number(streams.size());
      for (StreamSource stream : streams) {
        to.text(stream.name()).number(stream.size());
        to.number(stream.changed().toEpochMilli());
      }
    }
    // An index has none of the kernel's own events, but knows which streams are missing.
    to.number(recording.kernelStreams().size());
    recording.kernelStreams().forEach(stream -> to.text(stream.name()));
  }

  @Override
  public void close() {
    try {
      for (IndexFile file : files) {
        file.close();
      }
      giveUp(); // half an index is useless
      if (lock != null) {
        lock.close();
      }
      if (temporary()) {
        clear(directory);
        Files.delete(directory.path());
      }
      directory.close();
    } catch (IOException e) {
      // What is left can be deleted by anybody, and is replaced when an index is made again.
    }
  }
}
