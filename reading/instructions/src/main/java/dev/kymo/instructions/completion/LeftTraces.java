package dev.kymo.instructions.completion;

import dev.kymo.format.InstructionLayout;
import dev.kymo.instructions.InstructionFiles;
import dev.kymo.instructions.trace.Chunk;
import dev.kymo.instructions.trace.ChunkFile;
import dev.kymo.instructions.trace.ProcessFacts;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.TreeMap;

/**
 * Traces that a recorder left when it was killed: they can be completed as if the recorder had
 * ended.
 */
public final class LeftTraces {
  private LeftTraces() {}

  /** Whether a directory has a trace that nobody has completed; somebody may still write it. */
  public static boolean areIn(Path recording) {
    return Files.isRegularFile(recording.resolve(InstructionLayout.DIRECTORY).resolve("shared"))
        && !Files.exists(recording.resolve("metadata"));
  }

  /**
   * Puts all chunks into the files of their threads, and has programs that still run write no more.
   * {@link InstructionCompletion} does the rest.
   *
   * @return the command of the first process
   */
  public static String collect(Path recording) throws IOException {
    Path traces = recording.resolve(InstructionLayout.DIRECTORY);
    InstructionCompletion.stop(traces);
    InstructionFiles files = InstructionFiles.of(traces);
    for (String name : files.names()) {
      if (name.matches("p\\d+-thread-\\d+")) {
        cut(traces.resolve(name), new ChunkFile(files, name).open());
      }
    }
    KeptChunks.join(traces);
    new InstructionDrain(traces, Kept.ALL).close();
    Map<Integer, ProcessFacts> none = new TreeMap<>();
    return ProcessFacts.read(files, 1, none).command();
  }

  /** The recorder may have died while it added a chunk. */
  private static void cut(Path path, ChunkFile file) throws IOException {
    long end = 0;
    if (!file.chunks().isEmpty()) {
      Chunk last = file.chunks().getLast();
      end = last.offset() + InstructionLayout.CHUNK_HEAD + last.stored();
    }
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
      channel.truncate(end);
    }
  }
}
