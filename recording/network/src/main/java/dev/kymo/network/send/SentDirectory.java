package dev.kymo.network.send;

import dev.kymo.format.ClockExchanges;
import dev.kymo.format.PacketLayout;
import dev.kymo.network.wire.FrameType;
import dev.kymo.network.wire.FrameWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * A recording's directory as far as it was sent: streams packet by packet, other files whole
 * whenever they change. Used by one thread.
 */
final class SentDirectory implements AutoCloseable {
  /** Hidden files are the writer's own, except for these. */
  private static final Set<String> SENT_ANYWAY = Set.of(ClockExchanges.FILE, ".bookmarks.json");

  private static final String PRESENT = ".present";
  private static final int LARGEST_WHOLE = FrameType.LARGEST - (1 << 12);
  private static final long LIST_NANOS = 50_000_000;

  private final Path path;
  private final byte[] piece = SentStream.piece();
  private final Map<String, SentStream> streams = new TreeMap<>();
  private final Map<String, Seen> others = new HashMap<>();
  private final Map<String, Long> known;
  private long listed = System.nanoTime() - LIST_NANOS;
  private int numbers;
  private long present = Long.MIN_VALUE;

  /** What another file was like when it was sent. */
  private record Seen(Object modified, long size) {}

  /**
   * Nothing was sent.
   *
   * @param known what an earlier sender knows to be on the receiver's disk, by file
   */
  SentDirectory(Path path, Map<String, Long> known) {
    this.path = path;
    this.known = known;
  }

  Path path() {
    return path;
  }

  /** There is a new connection: goes on after what is on the receiver's disk. */
  void restart(FrameWriter out) throws IOException {
    numbers = 0;
    for (SentStream stream : streams.values()) {
      stream.restart(numbers++, out);
    }
    others.clear();
    present = Long.MIN_VALUE;
    listed = System.nanoTime() - LIST_NANOS;
  }

  /**
   * Sends what is new.
   *
   * @param all whether new files are looked for at any rate
   * @return whether anything was sent
   */
  boolean goOn(FrameWriter out, boolean all) throws IOException {
    // Read first: everything up to this clock is in the files that are read afterwards.
    long clock = readPresent();
    boolean any = false;
    long now = System.nanoTime();
    if (all || now - listed >= LIST_NANOS) {
      listed = now;
      any = list(out);
    }
    boolean more = false;
    for (SentStream stream : streams.values()) {
      any |= stream.goOn(out);
      more |= stream.hasMore();
    }
    if (clock > present && !more) {
      present = clock;
      out.begin(FrameType.PRESENT).u64(clock).end();
    }
    return any;
  }

  private long readPresent() {
    ByteBuffer clock = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    try (FileChannel file = open(path.resolve(PRESENT))) {
      return file.read(clock, 0) == Long.BYTES ? clock.getLong(0) : Long.MIN_VALUE;
    } catch (IOException e) {
      return Long.MIN_VALUE; // not yet, or not any more
    }
  }

  private static FileChannel open(Path file) throws IOException {
    return FileChannel.open(file, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS));
  }

  private boolean list(FrameWriter out) throws IOException {
    boolean any = false;
    Set<String> there = new HashSet<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(path)) {
      for (Path file : files) {
        String name = file.getFileName().toString();
        if (name.startsWith(".") && !SENT_ANYWAY.contains(name)) {
          continue;
        }
        there.add(name);
        if (!streams.containsKey(name)) {
          any |= look(file, name, out);
        }
      }
    }
    for (String gone : gone(there)) {
      any = true;
      out.begin(FrameType.DELETE).text(gone).end();
    }
    return any;
  }

  private Set<String> gone(Set<String> there) throws IOException {
    Set<String> gone = new HashSet<>(streams.keySet());
    gone.addAll(others.keySet());
    gone.removeAll(there);
    for (String name : gone) {
      try (SentStream _ = streams.remove(name)) {
        others.remove(name);
      }
    }
    return gone;
  }

  private boolean look(Path file, String name, FrameWriter out) throws IOException {
    try {
      BasicFileAttributes now =
          Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      if (!now.isRegularFile()) {
        return false;
      }
      if (known.containsKey(name) || isStream(file)) {
        SentStream stream = new SentStream(file, piece, known.getOrDefault(name, 0L));
        streams.put(name, stream);
        others.remove(name); // it was empty
        stream.restart(numbers++, out);
        return true;
      }
      Seen seen = new Seen(now.lastModifiedTime(), now.size());
      return !seen.equals(others.put(name, seen)) && sendWhole(file, name, out);
    } catch (NoSuchFileException e) {
      return false; // gone since it was listed
    }
  }

  /** An empty file becomes a stream, or is not worth anything yet. */
  private static boolean isStream(Path file) throws IOException {
    ByteBuffer magic = ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    try (FileChannel channel = open(file)) {
      return channel.read(magic, 0) == Integer.BYTES && magic.getInt(0) == PacketLayout.MAGIC;
    }
  }

  private boolean sendWhole(Path file, String name, FrameWriter out) throws IOException {
    if (Files.size(file) > LARGEST_WHOLE) {
      sendInPieces(file, name, out);
    } else {
      byte[] content = Files.readAllBytes(file);
      out.begin(FrameType.REPLACE).text(name).end(content, content.length);
    }
    return true;
  }

  /** Large files that are no streams are written once: nobody reads them before they are there. */
  private void sendInPieces(Path file, String name, FrameWriter out) throws IOException {
    int number = numbers++;
    out.begin(FrameType.FILE).u32(number).text(name).end();
    long at = 0;
    try (FileChannel channel = open(file)) {
      for (int got = read(channel, at); got > 0; got = read(channel, at)) {
        out.begin(FrameType.WRITE).u32(number).u64(at).end(piece, got);
        at += got;
      }
    }
    out.begin(FrameType.LENGTH).u32(number).u64(at).end();
  }

  private int read(FileChannel channel, long at) throws IOException {
    return channel.read(ByteBuffer.wrap(piece), at);
  }

  /** Says that this is all, and how long each file is. */
  void done(FrameWriter out) throws IOException {
    for (SentStream stream : streams.values()) {
      check(out, stream.name(), stream.size());
    }
    for (Map.Entry<String, Seen> file : others.entrySet()) {
      check(out, file.getKey(), file.getValue().size());
    }
    out.begin(FrameType.DONE).end();
  }

  private static void check(FrameWriter out, String name, long length) throws IOException {
    out.begin(FrameType.CHECK).text(name).u64(length).end();
  }

  /** What was sent so far counts when the receiver acknowledges the next mark. */
  void mark() {
    streams.values().forEach(SentStream::mark);
  }

  /** Everything before the last mark is on the receiver's disk; returns the bytes there. */
  long acknowledge() {
    long sum = 0;
    for (SentStream stream : streams.values()) {
      stream.acknowledge();
      sum += stream.acknowledged();
    }
    return sum;
  }

  /** What is on the receiver's disk and does not change any more, by file. */
  Map<String, Long> acknowledged() {
    Map<String, Long> all = new TreeMap<>();
    for (SentStream stream : streams.values()) {
      all.put(stream.name(), stream.acknowledged());
    }
    return all;
  }

  /** Gives up the space of what the receiver has. */
  void free(Space space) throws IOException {
    for (SentStream stream : streams.values()) {
      stream.free(space);
    }
  }

  @Override
  public void close() throws IOException {
    for (SentStream stream : streams.values()) {
      stream.close();
    }
  }
}
