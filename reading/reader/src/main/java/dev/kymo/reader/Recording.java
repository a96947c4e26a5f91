package dev.kymo.reader;

import dev.kymo.format.Definition;
import dev.kymo.format.PacketLayout;
import dev.kymo.format.StreamClass;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.IntSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An open recording: its metadata and its streams. Readers of its streams report what is odd to a
 * {@link Diagnostics} of their own; {@link #diagnostics()} has what was odd at opening.
 */
public final class Recording implements AutoCloseable {
  /** Memory for the buffers of all streams that are read at the same time, bytes. */
  private static final int BUFFERS = 32 << 20;

  private static final int MAX_BUFFER = 256 << 10;
  private static final int MIN_BUFFER = 8 << 10;

  /** Of a part of a stream little is read, but often. */
  private static final int MAX_PART_BUFFER = 64 << 10;

  private final Path path;
  private final Metadata metadata;
  private final SafeDirectory directory;
  private final OpenFiles files;
  private final List<StreamFile> definitions = new CopyOnWriteArrayList<>();
  private final List<StreamFile> counts = new CopyOnWriteArrayList<>();
  private final List<StreamFile> kernel = new CopyOnWriteArrayList<>();
  private final List<StreamFile> threads = new CopyOnWriteArrayList<>();
  private final Set<String> names = new HashSet<>();
  private final Diagnostics diagnostics = new Diagnostics();
  private final List<Diagnostics> passes = new CopyOnWriteArrayList<>();
  private boolean overwrites;

  private Recording(Path path, SafeDirectory directory, Metadata metadata) {
    this.path = path;
    this.directory = directory;
    this.files = new OpenFiles(directory);
    this.metadata = metadata;
  }

  /**
   * Opens a recording.
   *
   * @throws RecordingException if there is none, or its metadata cannot be read
   */
  public static Recording open(Path path) throws RecordingException {
    mustBeRecording(path);
    SafeDirectory directory = null;
    try {
      directory = SafeDirectory.open(path);
      Recording recording = new Recording(path, directory, readMetadata(path, directory));
      recording.findStreams();
      return recording;
    } catch (IOException e) {
      closeQuietly(directory);
      if (e instanceof RecordingException known) {
        throw known;
      }
      throw new RecordingException(
          "recording cannot be read: path=%s error=\"%s\"".formatted(path, e.getMessage()));
    }
  }

  /** Whether a path looks like a recording: a directory with metadata. */
  public static boolean isRecording(Path path) {
    return Files.isRegularFile(path.resolve(Metadata.FILE), LinkOption.NOFOLLOW_LINKS);
  }

  private static void mustBeRecording(Path path) throws RecordingException {
    if (Files.isSymbolicLink(path.resolve(Metadata.FILE))) {
      throw new RecordingException(
          "recording's metadata is a link, and links out of a recording are not followed: path="
              + path);
    }
    if (!isRecording(path)) {
      throw new RecordingException(
          (Files.exists(path) ? "not a recording (no metadata): path=" : "no such recording: path=")
              + path);
    }
  }

  private static Metadata readMetadata(Path path, SafeDirectory directory)
      throws RecordingException {
    try (FileChannel file = directory.read(Metadata.FILE)) {
      return Metadata.parse(Channels.newInputStream(file).readNBytes(Metadata.MAX_SIZE));
    } catch (RecordingException e) {
      throw e;
    } catch (IOException e) {
      throw new RecordingException(
          "recording's metadata cannot be read: path=%s error=\"%s\""
              .formatted(path, e.getMessage()));
    }
  }

  /**
   * Adds the stream files that are there and not known yet, behind the known ones. More than once,
   * because a listing may have a file and lack one that was made before it.
   */
  void findStreams() throws IOException {
    int before;
    do {
      before = names.size();
      findNewStreams();
    } while (names.size() > before);
  }

  private void findNewStreams() throws IOException {
    List<String> found = new ArrayList<>(directory.names());
    found.sort(NaturalOrder.INSTANCE);
    for (String name : found) {
      boolean ours = !name.startsWith(".") && !name.equals(Metadata.FILE);
      if (ours && !names.contains(name)) {
        find(name);
      }
    }
  }

  private void find(String name) throws IOException {
    PosixFileAttributes file;
    try {
      file = directory.attributes(name);
    } catch (NoSuchFileException e) {
      return; // deleted since it was listed
    }
    if (file.isRegularFile()) {
      names.add(name);
      add(new StreamFile(directory, name, file.size(), files));
    } else if (!file.isDirectory()) {
      names.add(name);
      diagnostics.add(Oddity.NO_FILE, name, 0, () -> "it=\"" + SafeDirectory.kind(file) + '"');
    }
  }

  private void add(StreamFile file) {
    int streamClass = streamClass(file);
    file.streamClass(streamClass);
    switch (streamClass) {
      case StreamClass.DEFINITIONS -> definitions.add(file);
      case StreamClass.COUNTS -> counts.add(file);
      case StreamClass.KERNEL -> kernel.add(file);
      default -> threads.add(file);
    }
  }

  /** The names tell as long as they are ours; otherwise the first packet. */
  private int streamClass(StreamFile file) {
    if (file.name().endsWith("-definitions") || file.names()) {
      return StreamClass.DEFINITIONS;
    }
    if (file.name().endsWith("-counts")) {
      return StreamClass.COUNTS;
    }
    if (file.name().startsWith("kernel-")) {
      return StreamClass.KERNEL;
    }
    if (file.name().contains("-ring-") || file.size() == 0) {
      return StreamClass.THREADS;
    }
    ByteBuffer head = ByteBuffer.allocate(PacketLayout.HEADER_SIZE).order(ByteOrder.LITTLE_ENDIAN);
    try {
      file.read(head, 0);
    } catch (IOException e) {
      diagnostics.add(
          Oddity.UNREADABLE_FILE, file.name(), 0, () -> "error=\"%s\"".formatted(e.getMessage()));
    }
    int found = head.getInt(PacketLayout.STREAM_CLASS_OFFSET);
    return switch (found) {
      case StreamClass.DEFINITIONS, StreamClass.COUNTS, StreamClass.KERNEL -> found;
      default -> StreamClass.THREADS;
    };
  }

  /** Where it is. */
  public Path path() {
    return path;
  }

  /** Name to be shown: that of the directory. */
  public String name() {
    return String.valueOf(path.toAbsolutePath().normalize().getFileName());
  }

  public Metadata metadata() {
    return metadata;
  }

  /** Streams of definitions, by name; those that were found later behind them. */
  public List<StreamFile> definitionStreams() {
    return definitions;
  }

  /** Streams of thread events, by name; those that were found later behind them. */
  public List<StreamFile> threadStreams() {
    return threads;
  }

  /** Streams of counted calls, by name; those that were found later behind them. */
  public List<StreamFile> countStreams() {
    return counts;
  }

  /** Streams of kernel events, one a processor, by name; those found later behind them. */
  public List<StreamFile> kernelStreams() {
    return kernel;
  }

  /** Bytes of all streams. */
  public long size() {
    return Stream.of(definitions, threads, counts, kernel)
        .flatMap(List::stream)
        .mapToLong(StreamFile::size)
        .sum();
  }

  /** What was odd at opening. */
  public Diagnostics diagnostics() {
    return diagnostics;
  }

  /**
   * Told by whoever reads it from begin to end, with what takes the oddities of that: they are the
   * recording's.
   */
  public void isReadWith(Diagnostics pass) {
    passes.add(pass);
  }

  /** What was odd at opening and in the reading that met most, as lines of text. */
  public List<String> oddities() {
    List<String> all = new ArrayList<>(diagnostics.texts());
    passes.stream()
        .max(Comparator.comparingLong(Diagnostics::total))
        .ifPresent(most -> all.addAll(most.texts()));
    return all;
  }

  /**
   * Compares a stream with what it was when the recording was complete.
   *
   * @param to takes what is odd
   */
  public void check(Definition.Stream stream, Diagnostics to) {
    StreamFile file =
        Stream.of(definitions, threads, counts, kernel)
            .flatMap(List::stream)
            .filter(f -> f.name().equals(stream.name()))
            .findFirst()
            .orElse(null);
    if (file == null) {
      to.add(Oddity.MISSING_STREAM, stream.name(), 0, () -> "bytes=" + stream.bytes());
    } else if (file.size() < stream.bytes()) {
      to.add(
          Oddity.SHORT_STREAM,
          stream.name(),
          file.size(),
          () -> "bytes=%d present=%d".formatted(stream.bytes(), file.size()));
    }
  }

  /** Whether full rings dropped their oldest packets, so that missing packets are no oddity. */
  public boolean overwrites() {
    return overwrites;
  }

  /** Told by whoever has read the definitions. */
  public void overwrites(boolean dropped) {
    overwrites = dropped;
  }

  /** Reads a definition stream from its beginning. */
  public DefinitionStream definitions(StreamFile file, Diagnostics to) {
    return new DefinitionStream(this, file, to);
  }

  /** Reads a stream of counted calls from its beginning. */
  public CountStream counts(StreamFile file, Diagnostics to) {
    return new CountStream(this, file, to);
  }

  /** Reads a thread stream from its beginning. */
  public ThreadStream threads(int stream, Diagnostics to) {
    return new ThreadStream(this, stream, to, fixed(bufferSize()), 0).open();
  }

  /**
   * Reads a thread stream from a packet on that an earlier pass has met; says nothing of oddities.
   *
   * @param packetOffset {@link EventBatch#packetOffset()}
   * @param process {@link EventBatch#process()}
   * @param floor {@link EventBatch#packetFloor()}
   */
  public ThreadStream threads(int stream, long packetOffset, int process, long floor) {
    IntSupplier buffer = fixed(Math.min(bufferSize(), MAX_PART_BUFFER));
    return new ThreadStream(this, stream, new Diagnostics(), buffer, packetOffset)
        .resume(process, floor);
  }

  /** Whether its recorder is at work. */
  public boolean isGrowing() {
    return new WriterWatch(path).look() == Follower.State.GROWING;
  }

  /**
   * Reads a recording that may still be written; at most one at a time.
   *
   * @param to takes the oddities of what it reads
   */
  public Follower follow(Diagnostics to) {
    return new Follower(this, to);
  }

  /**
   * Reads the definitions of a recording that may still be written, also in the process that writes
   * it.
   *
   * @param to takes the oddities of what it reads
   */
  public DefinitionFollower followDefinitions(Diagnostics to) {
    return new DefinitionFollower(this, to);
  }

  /** Reads a thread stream from its beginning, as far as it goes at any time. */
  ThreadStream followThreads(int stream, Diagnostics to) {
    return new ThreadStream(this, stream, to, this::bufferSize, 0).follow();
  }

  private static IntSupplier fixed(int size) {
    return () -> size;
  }

  private int bufferSize() {
    return Math.clamp(BUFFERS / Math.max(1, threads.size()), MIN_BUFFER, MAX_BUFFER);
  }

  /** The directory, in which its files are opened. */
  public SafeDirectory directory() {
    return directory;
  }

  @Override
  public void close() {
    files.close();
    closeQuietly(directory);
  }

  private static void closeQuietly(@Nullable SafeDirectory directory) {
    try {
      if (directory != null) {
        directory.close();
      }
    } catch (IOException e) {
      // Nothing was written through it.
    }
  }
}
