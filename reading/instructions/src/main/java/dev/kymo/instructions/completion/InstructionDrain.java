package dev.kymo.instructions.completion;

import dev.kymo.format.InstructionLayout;
import dev.kymo.instructions.trace.Chunk;
import dev.kymo.instructions.trace.ChunkFile;
import dev.kymo.instructions.trace.ChunkReader;
import dev.kymo.instructions.trace.ChunkWriter;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Compresses chunks while a program is recorded, so that the program does not have to. A thread
 * hands its chunks over as files, and waits while too many of them wait.
 */
public final class InstructionDrain implements AutoCloseable {
  private static final Pattern FULL = Pattern.compile("(p\\d+-thread-\\d+)-(\\d+)\\.full");
  private static final VarHandle INT = ValueLayout.JAVA_INT.varHandle();
  private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();

  private final Path traces;
  private final Arena arena = Arena.ofShared();
  private final MemorySegment shared;

  /** By thread: the number of the chunk that comes next. */
  private final Map<String, Integer> next = new HashMap<>();

  /** What has been compressed, if not all of it is kept; null: all is, in the threads' files. */
  private final @Nullable KeptChunks some;

  private @Nullable String failure;

  private record FullChunk(String thread, int number, Path file) {}

  /**
   * Begins with a directory that {@link InstructionCompletion#prepare} has made.
   *
   * @param kept what is to stay
   */
  public InstructionDrain(Path traces, Kept kept) throws IOException {
    this.traces = traces;
    this.some = kept.equals(Kept.ALL) ? null : new KeptChunks(traces, kept);
    try (FileChannel file =
        FileChannel.open(
            traces.resolve("shared"), StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      shared = file.map(FileChannel.MapMode.READ_WRITE, 0, InstructionLayout.SHARED_SIZE, arena);
    }
    for (FullChunk left : find()) { // of a recorder that was killed
      next.merge(left.thread(), left.number(), Math::min);
    }
  }

  /** Compresses what is there now; returns how many chunks that was. */
  public int round() {
    int done = 0;
    try {
      List<FullChunk> found = find();
      for (FullChunk chunk : found) {
        if (chunk.number() == next.getOrDefault(chunk.thread(), 0)) {
          next.put(chunk.thread(), chunk.number() + 1);
          take(chunk);
          done++;
        }
      }
      if (some != null && done > 0) {
        drop(some);
      }
    } catch (IOException e) {
      failure = e.getMessage();
    }
    INT.getAndAdd(shared, (long) InstructionLayout.SHARED_ROUNDS_OFFSET, 1);
    return done;
  }

  private void drop(KeptChunks from) throws IOException {
    long before = from.bytes();
    LONG.getAndAdd(shared, (long) InstructionLayout.SHARED_DROPPED_OFFSET, from.drop());
    LONG.getAndAdd(shared, (long) InstructionLayout.SHARED_WRITTEN_OFFSET, from.bytes() - before);
  }

  private List<FullChunk> find() throws IOException {
    List<FullChunk> found = new ArrayList<>();
    try (Stream<Path> files = Files.list(traces)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        Matcher matcher = FULL.matcher(file.getFileName().toString());
        if (matcher.matches()) {
          found.add(new FullChunk(matcher.group(1), Integer.parseInt(matcher.group(2)), file));
        }
      }
    }
    found.sort(Comparator.comparingInt(FullChunk::number));
    return found;
  }

  private void take(FullChunk full) throws IOException {
    ByteBuffer bytes =
        ByteBuffer.wrap(Files.readAllBytes(full.file())).order(ByteOrder.LITTLE_ENDIAN);
    Chunk chunk = bytes.limit() < InstructionLayout.CHUNK_HEAD ? null : ChunkFile.chunk(bytes, 0);
    int written = 0;
    try {
      if (chunk != null && bytes.limit() == InstructionLayout.CHUNK_HEAD + chunk.length()) {
        byte[] records = new byte[chunk.length()];
        bytes.get(InstructionLayout.CHUNK_HEAD, records);
        written = write(full, chunk, records);
      }
    } catch (IOException e) {
      failure = e.getMessage();
      if (chunk != null) {
        LONG.getAndAdd(
            shared, (long) InstructionLayout.SHARED_LOST_OFFSET, chunk.end() - chunk.begin());
      }
    }
    Files.delete(full.file());
    LONG.getAndAdd(
        shared, (long) InstructionLayout.SHARED_WRITTEN_OFFSET, (long) written - bytes.limit());
    INT.getAndAdd(shared, (long) InstructionLayout.SHARED_FULL_OFFSET, -1);
  }

  private int write(FullChunk full, Chunk chunk, byte[] records) throws IOException {
    if (some == null) {
      return ChunkWriter.append(traces.resolve(full.thread()), chunk, records);
    }
    long instructions = chunk.end() - chunk.begin() - ChunkReader.raised(records);
    return some.add(full.thread(), full.number(), chunk, records, instructions);
  }

  /** Why chunks could not be written; null if all could. */
  public @Nullable String failure() {
    return failure;
  }

  /** Nobody writes any more: takes what is left. */
  @Override
  public void close() {
    int done;
    do {
      done = round();
    } while (done > 0);
    if (some != null) {
      try {
        KeptChunks.join(traces);
      } catch (IOException e) {
        failure = e.getMessage();
      }
    }
    arena.close();
  }
}
