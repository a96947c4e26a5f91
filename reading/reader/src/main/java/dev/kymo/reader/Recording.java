package dev.kymo.reader;

import dev.kymo.format.Definition;
import dev.kymo.format.InstructionLayout;
import dev.kymo.format.PacketLayout;
import dev.kymo.format.StreamClass;
import dev.kymo.instructions.calls.InstructionStream;
import dev.kymo.instructions.calls.InstructionTrace;
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

  /** Parts of a stream are small, but read often. */
  private static final int MAX_PART_BUFFER = 64 << 10;

  private final Path path;
  private final Metadata metadata;
  private final SafeDirectory directory;
  private final OpenFiles files;
  private final List<StreamSource> definitions = new CopyOnWriteArrayList<>();
  private final List<StreamSource> counts = new CopyOnWriteArrayList<>();
  private final List<StreamSource> kernel = new CopyOnWriteArrayList<>();
  private final List<StreamSource> threads = new CopyOnWriteArrayList<>();
  private final Set<String> names = new HashSet<>();
  private final Diagnostics diagnostics = new Diagnostics();
  private final List<Diagnostics> passes = new CopyOnWriteArrayList<>();

  /** What an earlier reading has met. */
  private volatile List<String> known = List.of();

  private @Nullable SafeInstructionFiles instructionFiles;
  private @Nullable InstructionTrace instructions;
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
      recording.findInstructions();
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
   * Adds stream files that are not known yet, after the known ones. Repeats, because a listing may
   * have a file and lack an older one.
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
      add(new StreamSource(directory, name, file.size(), files, this::isGrowing));
    } else if (!file.isDirectory()) {
      names.add(name);
      diagnostics.add(Oddity.NO_FILE, name, 0, () -> "it=\"" + SafeDirectory.kind(file) + '"');
    }
  }

  private void findInstructions() throws IOException {
    if (!directory.names().contains(InstructionLayout.DIRECTORY)) {
      return;
    }
    SafeDirectory inner = directory.inner(InstructionLayout.DIRECTORY);
    SafeInstructionFiles found = new SafeInstructionFiles(inner, new OpenFiles(inner));
    instructionFiles = found;
    InstructionTrace trace = InstructionTrace.open(found, metadata.uuid());
    instructions = trace;
    for (InstructionStream stream : trace.streams()) {
      try {
        StreamSource whole = new StreamSource(inner, stream, found.files());
        threads.removeIf(file -> file.name().equals(stream.name())); // it has a part of the calls
        threads.add(whole);
      } catch (IOException e) {
        diagnostics.add(
            Oddity.UNREADABLE_FILE,
            stream.name(),
            0,
            () -> "error=\"%s\"".formatted(e.getMessage()));
      }
    }
  }

  /** The instructions that were recorded; null if none were. */
  public @Nullable InstructionTrace instructions() {
    return instructions;
  }

  private void add(StreamSource file) {
    int streamClass = streamClass(file);
    file.streamClass(streamClass);
    switch (streamClass) {
      case StreamClass.DEFINITIONS -> definitions.add(file);
      case StreamClass.COUNTS -> counts.add(file);
      case StreamClass.KERNEL -> kernel.add(file);
      default -> threads.add(file);
    }
  }

  /** Known from the name if it is one of ours; otherwise from the first packet. */
  private int streamClass(StreamSource file) {
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

  /** Streams of definitions, by name; streams found later come last. */
  public List<StreamSource> definitionStreams() {
    return definitions;
  }

  /** Streams of thread events, by name; streams found later come last. */
  public List<StreamSource> threadStreams() {
    return threads;
  }

  /** Streams of counted calls, by name; streams found later come last. */
  public List<StreamSource> countStreams() {
    return counts;
  }

  /** Streams of kernel events, one for each processor, by name; streams found later come last. */
  public List<StreamSource> kernelStreams() {
    return kernel;
  }

  /** Bytes of all streams. */
  public long size() {
    return Stream.of(definitions, threads, counts, kernel)
        .flatMap(List::stream)
        .mapToLong(StreamSource::size)
        .sum();
  }

  /** Oddities met when opening. */
  public Diagnostics diagnostics() {
    return diagnostics;
  }

  /**
   * To be called by a pass that reads the recording from begin to end: the oddities that it meets
   * are the recording's.
   */
  public void isReadWith(Diagnostics pass) {
    passes.add(pass);
  }

  /**
   * To be called if it was read from begin to end before: these are its oddities, also those of
   * opening it.
   */
  public void wasReadWith(List<String> oddities) {
    known = List.copyOf(oddities);
  }

  /** Oddities met when opening and in the pass that met most, as lines of text. */
  public List<String> oddities() {
    if (!known.isEmpty()) {
      return known;
    }
    List<String> all = new ArrayList<>(diagnostics.texts());
    passes.stream()
        .max(Comparator.comparingLong(Diagnostics::total))
        .ifPresent(most -> all.addAll(most.texts()));
    return all;
  }

  /**
   * Compares a stream with its state when the recording was complete.
   *
   * @param to takes what is odd
   */
  public void check(Definition.Stream stream, Diagnostics to) {
    StreamSource file =
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

  /** Whether full rings dropped their oldest packets, so that missing packets are not odd. */
  public boolean overwrites() {
    return overwrites;
  }

  /** To be called by whoever has read the definitions. */
  public void overwrites(boolean dropped) {
    overwrites = dropped;
  }

  public DefinitionReader definitions(StreamSource file, Diagnostics to) {
    return new DefinitionReader(file, rules(), to);
  }

  public CountReader counts(StreamSource file, Diagnostics to) {
    return new CountReader(file, rules(), to);
  }

  public ThreadStream threads(int stream, Diagnostics to) {
    return stream(stream, to, fixed(bufferSize()), 0).open();
  }

  public List<ThreadStream> openThreads(Diagnostics to) {
    List<ThreadStream> streams = new ArrayList<>();
    for (int i = 0; i < threads.size(); i++) {
      streams.add(threads(i, to));
    }
    return streams;
  }

  private ThreadStream stream(int index, Diagnostics to, IntSupplier buffer, long from) {
    return new ThreadStream(threads.get(index), index, rules(), to, buffer, from);
  }

  StreamRules rules() {
    return new StreamRules(metadata.uuid(), metadata.clock().frequency(), overwrites);
  }

  /**
   * Reads a thread stream from a packet that an earlier pass has met; does not report oddities.
   *
   * @param packetOffset {@link EventBatch#packetOffset()}
   * @param process {@link EventBatch#process()}
   * @param floor {@link EventBatch#packetFloor()}
   */
  public ThreadStream threads(int stream, long packetOffset, int process, long floor) {
    IntSupplier buffer = fixed(Math.min(bufferSize(), MAX_PART_BUFFER));
    return stream(stream, new Diagnostics(), buffer, packetOffset).resume(process, floor);
  }

  /** Whether its recorder is running. */
  public boolean isGrowing() {
    return new WriterWatch(path).look() == RecordingState.GROWING;
  }

  /** Reads a thread stream from its beginning, as far as it has been written. */
  ThreadStream followThreads(int stream, Diagnostics to) {
    return stream(stream, to, this::bufferSize, 0).follow();
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
    if (instructionFiles != null) {
      instructionFiles.files().close();
      closeQuietly(instructionFiles.directory());
    }
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
