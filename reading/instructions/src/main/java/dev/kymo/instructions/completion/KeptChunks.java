package dev.kymo.instructions.completion;

import dev.kymo.format.InstructionLayout;
import dev.kymo.instructions.InstructionFiles;
import dev.kymo.instructions.trace.Chunk;
import dev.kymo.instructions.trace.ChunkWriter;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Compressed chunks of a recording, each in a file of its own, so that the oldest ones can go. */
final class KeptChunks {
  private static final String DIRECTORY = "kept";
  private static final Comparator<Piece> OLDEST = Comparator.comparingLong(Piece::end);
  private static final Pattern FILE = Pattern.compile("(p\\d+-thread-\\d+)-(\\d{1,9})");

  private final Path traces;
  private final Kept kept;
  private final PriorityQueue<Piece> pieces = new PriorityQueue<>(OLDEST);
  private long bytes;
  private long newest;

  /** A chunk: how many bytes it has, and how many instructions. */
  private record Piece(String thread, int number, long end, int size, long instructions) {}

  KeptChunks(Path traces, Kept kept) throws IOException {
    this.traces = traces;
    this.kept = kept;
    Files.createDirectory(traces.resolve(DIRECTORY));
  }

  /**
   * Adds a chunk of a thread.
   *
   * @param number of the chunk in the thread
   * @param instructions that it has
   * @return bytes that were written
   */
  int add(String thread, int number, Chunk chunk, byte[] records, long instructions)
      throws IOException {
    Piece piece = new Piece(thread, number, chunk.end(), 0, instructions);
    int size = ChunkWriter.append(file(piece), chunk, records);
    pieces.add(new Piece(thread, number, chunk.end(), size, instructions));
    bytes += size;
    newest = Math.max(newest, chunk.end());
    return size;
  }

  private Path file(Piece piece) {
    return traces.resolve(DIRECTORY).resolve(piece.thread + "-" + piece.number);
  }

  /** Deletes the oldest chunks, as far as there are too many; returns their instructions. */
  long drop() throws IOException {
    long facts = kept.bytes() == 0 ? 0 : facts();
    long dropped = 0;
    while (pieces.size() > 1 && isTooOld(pieces.peek(), facts)) {
      Piece oldest = pieces.remove();
      Files.delete(file(oldest));
      bytes -= oldest.size;
      dropped += oldest.instructions;
    }
    return dropped;
  }

  /** Bytes of all chunks that are there. */
  long bytes() {
    return bytes;
  }

  private boolean isTooOld(Piece oldest, long facts) {
    return (kept.bytes() != 0 && facts + bytes > kept.bytes())
        || (kept.instructions() != 0 && oldest.end <= newest - kept.instructions());
  }

  /** Bytes of facts, which all stay: any chunk may need them. */
  private long facts() throws IOException {
    InstructionFiles files = InstructionFiles.of(traces);
    long sum = 0;
    for (String name : files.names()) {
      if (name.endsWith("-facts")) {
        var head = files.read(name, 0, InstructionLayout.FACTS_HEAD);
        sum += head.limit() < InstructionLayout.FACTS_HEAD ? 0 : head.getLong(8);
      }
    }
    return sum;
  }

  /** Nothing more comes: what is left becomes the threads' files. */
  static void join(Path traces) throws IOException {
    Path directory = traces.resolve(DIRECTORY);
    if (!Files.isDirectory(directory)) {
      return;
    }
    for (Path file : inOrder(directory)) {
      Matcher matcher = FILE.matcher(file.getFileName().toString());
      if (matcher.matches()) {
        append(file, traces.resolve(matcher.group(1)));
      }
      Files.delete(file);
    }
    Files.delete(directory);
  }

  private static List<Path> inOrder(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.sorted(Comparator.comparingInt(KeptChunks::number)).toList();
    }
  }

  /** Of the chunk in its thread. */
  private static int number(Path file) {
    Matcher matcher = FILE.matcher(file.getFileName().toString());
    return matcher.matches() ? Integer.parseInt(matcher.group(2)) : 0;
  }

  private static void append(Path chunk, Path thread) throws IOException {
    try (FileChannel from = FileChannel.open(chunk);
        FileChannel to =
            FileChannel.open(
                thread,
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE,
                StandardOpenOption.APPEND)) {
      long size = from.size();
      long done = 0;
      while (done < size) {
        done += from.transferTo(done, size - done, to);
      }
    }
  }
}
