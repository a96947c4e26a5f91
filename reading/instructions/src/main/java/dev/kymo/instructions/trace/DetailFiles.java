package dev.kymo.instructions.trace;

import dev.kymo.instructions.InstructionFiles;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Files of chunks that replays have added to a recording: {@code KIND-N}. */
public record DetailFiles(List<ChunkFile> files) {
  /** Takes the records of a chunk that has some of a range. */
  public interface Sink {
    void chunk(byte[] records, Chunk chunk) throws IOException;
  }

  public static DetailFiles open(InstructionFiles files, String kind) throws IOException {
    List<ChunkFile> found = new ArrayList<>();
    for (String name : files.names()) {
      if (name.matches(kind + "-\\d{1,8}")) {
        found.add(new ChunkFile(files, name).open());
      }
    }
    return new DetailFiles(found);
  }

  /** The chunks of a file with clocks in a range, the last one included. */
  public static void read(ChunkFile file, long from, long last, Sink sink) throws IOException {
    for (Chunk chunk : file.chunks()) {
      if (chunk.begin() <= last && chunk.end() > from) {
        sink.chunk(file.records(chunk), chunk);
      }
    }
  }
}
