package dev.kymo.network.listen;

import dev.kymo.network.wire.FrameReader;
import dev.kymo.network.wire.FrameType;
import dev.kymo.network.wire.ProtocolException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A recording as it comes in. For its readers it grows like one that is recorded here: {@code
 * .rings} is locked while it is received, and {@code .present} says up to which clock everything is
 * there. Used by one thread at a time, except for {@link Unsynced}.
 */
final class ReceivedRecording implements AutoCloseable {
  /** What {@code .rings} has in place of a path: the rest is at the sender. */
  static final String AT_SENDER = "at its sender";

  static final String RINGS = ".rings";
  private static final String PRESENT = ".present";

  private final Path path;
  private final Keeper keeper;
  private final Map<Integer, FileChannel> numbered = new HashMap<>();
  private final Map<String, FileChannel> files = new HashMap<>();
  private Set<FileChannel> unsynced = new HashSet<>();
  private final Set<String> checked = new HashSet<>();
  private boolean namesUnsynced = true;
  private final FileChannel lock;
  private @Nullable FileChannel present;
  private long bytes;

  private ReceivedRecording(Path path, Keeper keeper, FileChannel lock) {
    this.path = path;
    this.keeper = keeper;
    this.lock = lock;
  }

  /** Begins, or goes on with, what is in a directory. */
  static ReceivedRecording open(Path path, Keeper keeper) throws IOException {
    FileChannel lock =
        FileChannel.open(path.resolve(RINGS), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    try {
      if (lock.tryLock() == null) {
        throw new IOException("another program writes this recording: path=" + path);
      }
      lock.write(ByteBuffer.wrap(AT_SENDER.getBytes(StandardCharsets.UTF_8)), 0);
      ReceivedRecording recording = new ReceivedRecording(path, keeper, lock);
      recording.bytes = size(path);
      return recording;
    } catch (IOException | RuntimeException e) {
      lock.close();
      throw e;
    }
  }

  private static long size(Path directory) throws IOException {
    long sum = 0;
    try (DirectoryStream<Path> all = Files.newDirectoryStream(directory)) {
      for (Path file : all) {
        sum += Files.size(file);
      }
    }
    return sum;
  }

  Path path() {
    return path;
  }

  /**
   * Takes a frame of what a recording consists of.
   *
   * @return false if it is a frame of another kind
   */
  boolean take(FrameType type, FrameReader in) throws IOException {
    switch (type) {
      case FILE -> file(in.u32(), in.text());
      case WRITE -> write(in.u32(), in.u64(), in.rest());
      case LENGTH -> length(in.u32(), in.u64());
      case REPLACE -> replace(in.text(), in.rest());
      case DELETE -> delete(in.text());
      case PRESENT -> present(in.u64());
      case CHECK -> check(in.text(), in.u64());
      default -> {
        return false;
      }
    }
    return true;
  }

  /** From now on a number stands for a file. */
  private void file(int number, String name) throws IOException {
    numbered.put(number, channel(FileName.file(name)));
  }

  private FileChannel channel(String name) throws IOException {
    FileChannel open = files.get(name);
    if (open == null) {
      if (files.size() >= Limits.FILES) {
        throw new ProtocolException("too many files: most=" + Limits.FILES);
      }
      open =
          FileChannel.open(
              path.resolve(name),
              Set.of(
                  StandardOpenOption.CREATE, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS));
      files.put(name, open);
      namesUnsynced = true;
    }
    return open;
  }

  private FileChannel channel(int number) throws ProtocolException {
    FileChannel file = numbered.get(number);
    if (file == null) {
      throw new ProtocolException("no such file: number=" + number);
    }
    unsynced.add(file);
    return file;
  }

  private void write(int number, long offset, ByteBuffer content) throws IOException {
    FileChannel file = channel(number);
    long end = offset + content.remaining();
    if (offset < 0 || end < 0) {
      throw new ProtocolException("no such place in a file: offset=" + offset);
    }
    grow(file, end);
    long at = offset;
    while (content.hasRemaining()) {
      at += file.write(content, at);
    }
  }

  private void grow(FileChannel file, long end) throws IOException {
    take(Math.max(0, end - file.size()));
  }

  private void take(long more) throws IOException {
    if (more > keeper.recordingBytes() - bytes) {
      throw new ProtocolException("recording is too large: most_bytes=" + keeper.recordingBytes());
    }
    if (more > 0) {
      keeper.take(more);
    }
    bytes += more;
  }

  private void length(int number, long length) throws IOException {
    FileChannel file = channel(number);
    if (length < 0) {
      throw new ProtocolException("no such length: bytes=" + length);
    }
    long now = file.size();
    if (length < now) {
      file.truncate(length);
      bytes -= now - length;
    } else if (length > now) {
      grow(file, length);
      file.write(ByteBuffer.allocate(1), length - 1);
    }
  }

  /** Readers see the old or the new content, never a mixture. */
  private void replace(String name, ByteBuffer content) throws IOException {
    Path to = path.resolve(FileName.file(name));
    Path fresh = path.resolve(".fresh");
    take(content.remaining()); // both are there for a moment
    bytes -= Files.exists(to, LinkOption.NOFOLLOW_LINKS) ? Files.size(to) : 0;
    try (FileChannel file =
        FileChannel.open(
            fresh,
            Set.of(
                StandardOpenOption.CREATE,
                StandardOpenOption.TRUNCATE_EXISTING,
                StandardOpenOption.WRITE,
                LinkOption.NOFOLLOW_LINKS))) {
      while (content.hasRemaining()) {
        file.write(content);
      }
      file.force(false);
    }
    Files.move(fresh, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    namesUnsynced = true;
  }

  void delete(String name) throws IOException {
    Path file = path.resolve(FileName.file(name));
    FileChannel open = files.remove(name);
    if (open != null) {
      numbered.values().remove(open);
      unsynced.remove(open);
      open.close();
    }
    if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
      bytes -= Files.size(file);
      Files.delete(file);
      namesUnsynced = true;
    }
  }

  /** Says that every event up to this clock can be read. */
  private void present(long clock) throws IOException {
    FileChannel file = present;
    if (file == null) {
      file =
          FileChannel.open(
              path.resolve(PRESENT), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      present = file;
    }
    file.write(ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(0, clock), 0);
  }

  /** What was written since the last time, and is to be put on disk. */
  Unsynced unsynced() {
    Unsynced now = new Unsynced(path, unsynced, namesUnsynced);
    unsynced = new HashSet<>();
    namesUnsynced = false;
    return now;
  }

  /**
   * Files that may not be on disk yet. Any thread may put them there.
   *
   * @param directory where they are
   * @param files with new content
   * @param names whether there are new names
   */
  record Unsynced(Path directory, Set<FileChannel> files, boolean names) {
    void sync() throws IOException {
      for (FileChannel file : files) {
        file.force(false);
      }
      if (names) {
        try (FileChannel all = FileChannel.open(directory, StandardOpenOption.READ)) {
          all.force(true);
        }
      }
    }
  }

  /** Checks that a file is as long as the sender's. */
  private void check(String name, long length) throws IOException {
    Path file = path.resolve(FileName.file(name));
    long own = Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) ? Files.size(file) : -1;
    if (own != length) {
      throw new ProtocolException(
          "file is not as long as the sender's: file=%s bytes=%d sent=%d"
              .formatted(file, own, length));
    }
    checked.add(name);
  }

  /** Ends the recording: what was checked is all of it. */
  void done() throws IOException {
    for (String name : names()) {
      if (!checked.contains(name)) {
        delete(name); // the sender could not say that it had gone
      }
    }
    unsynced().sync();
    Files.deleteIfExists(path.resolve(PRESENT));
    // Its age begins now.
    Files.setLastModifiedTime(path.resolve(Recordings.RECEIVED), FileTime.from(Instant.now()));
    Files.deleteIfExists(path.resolve(RINGS));
  }

  private List<String> names() throws IOException {
    try (Stream<Path> all = Files.list(path)) {
      return all.map(file -> String.valueOf(file.getFileName()))
          .filter(name -> !name.startsWith("."))
          .toList();
    }
  }

  /** Bytes of all files. */
  long bytes() {
    return bytes;
  }

  @Override
  public void close() throws IOException {
    try (FileChannel _ = lock;
        FileChannel _ = present) {
      for (FileChannel file : files.values()) {
        file.close();
      }
    }
  }
}
