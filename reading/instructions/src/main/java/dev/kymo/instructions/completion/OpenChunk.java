package dev.kymo.instructions.completion;

import dev.kymo.format.InstructionLayout;
import dev.kymo.instructions.trace.Blocks;
import dev.kymo.instructions.trace.Chunk;
import dev.kymo.instructions.trace.ChunkReader;
import dev.kymo.instructions.trace.ChunkWriter;
import dev.kymo.instructions.trace.TraceSink;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;

/** The chunk that a thread was filling when it ended: becomes its last one. */
final class OpenChunk {
  static final String SUFFIX = ".open";

  /** The part of its progress that says how many blocks there is room for. */
  private static final int PROGRESS_BLOCKS = 0xFFFFFF;

  private OpenChunk() {}

  private static final class Extent implements TraceSink {
    private final Blocks blocks;
    private long clock;
    private long count;
    private int last;

    Extent(Blocks blocks, long clock) {
      this.blocks = blocks;
      this.clock = clock;
    }

    @Override
    public void block(int block) {
      clock += blocks.instructions(block);
      last = block;
      count++;
    }

    @Override
    public void returned(long result, long raised) {
      clock += raised;
    }

    @Override
    public void switched(long raised) {
      clock += raised;
    }

    @Override
    public void signal(int signal, int executed, long address) {
      if (signal != 0) {
        cut(executed);
      }
    }

    @Override
    public void entry(int entry, int executed, long address) {
      cut(executed);
    }

    @Override
    public void cut(int executed) {
      clock -= Math.max(0, blocks.instructions(last) - executed);
      last = 0;
    }
  }

  /**
   * Appends the chunk to its thread's file, and deletes its own.
   *
   * @return its clock at the end; 0 = it is empty
   * @throws IOException if it is damaged or cannot be appended; then its own file stays
   */
  static long close(Path directory, String name, Blocks blocks) throws IOException {
    Path path = directory.resolve(name + SUFFIX);
    ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(path)).order(ByteOrder.LITTLE_ENDIAN);
    long end = append(directory, name, blocks, bytes);
    Files.delete(path);
    return end;
  }

  private static long append(Path directory, String name, Blocks blocks, ByteBuffer bytes)
      throws IOException {
    if (bytes.limit() >= InstructionLayout.OPEN_HEAD && bytes.getInt(0) == 0) {
      return 0; // outside of what was to be recorded
    }
    if (bytes.limit() < InstructionLayout.OPEN_HEAD
        || bytes.getInt(0) != InstructionLayout.OPEN_MAGIC) {
      throw new IOException("not an open chunk: file=" + name + SUFFIX);
    }
    long begin = bytes.getLong(8);
    int length = bytes.getInt(16);
    int run = Math.max(0, bytes.getInt(20) - (bytes.getInt(24) & PROGRESS_BLOCKS));
    if (length < 0
        || length > InstructionLayout.CHUNK_RECORDS
        || InstructionLayout.OPEN_HEAD + length > bytes.limit()) {
      throw new IOException("open chunk is damaged: file=" + name + SUFFIX);
    }
    if (length == 0 && run == 0) {
      return 0;
    }
    byte[] records = records(bytes, length, run);
    Extent extent = new Extent(blocks, begin);
    new ChunkReader(blocks).read(records, extent);
    Chunk chunk = new Chunk(0, 0, records.length, 0, begin, extent.clock, extent.count);
    ChunkWriter.append(directory.resolve(name), chunk, records);
    return extent.clock;
  }

  /** The records, and the run after them. */
  private static byte[] records(ByteBuffer bytes, int length, int run) {
    ByteBuffer records = ByteBuffer.allocate(length + 12);
    records.put(bytes.slice(InstructionLayout.OPEN_HEAD, length));
    int left = run;
    while (left >= 0x80) {
      records.put((byte) (left | 0x80));
      left >>>= 7;
    }
    records.put((byte) left).put((byte) 0).put((byte) InstructionLayout.EVENT_END);
    byte[] all = new byte[records.flip().remaining()];
    records.get(all);
    return all;
  }
}
