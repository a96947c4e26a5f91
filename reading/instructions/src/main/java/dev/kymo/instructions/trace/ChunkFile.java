package dev.kymo.instructions.trace;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdException;
import dev.kymo.format.InstructionLayout;
import dev.kymo.instructions.InstructionFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/** The chunks of a thread. */
public final class ChunkFile {
  private final InstructionFiles files;
  private final String name;
  private final List<Chunk> chunks = new ArrayList<>();
  private @Nullable String damage;

  public ChunkFile(InstructionFiles files, String name) {
    this.files = files;
    this.name = name;
  }

  public static String fileName(int process, int thread) {
    return "p" + process + "-thread-" + thread;
  }

  /** Reads the headers of all chunks, as far as they are sound. */
  public ChunkFile open() throws IOException {
    long size = files.size(name);
    long position = 0;
    long clock = 0;
    while (position < size) {
      ByteBuffer head = files.read(name, position, InstructionLayout.CHUNK_HEAD);
      Chunk chunk = head.remaining() < InstructionLayout.CHUNK_HEAD ? null : chunk(head, position);
      if (chunk == null
          || chunk.begin() < clock
          || position + InstructionLayout.CHUNK_HEAD + chunk.stored() > size) {
        damage = "bytes from %d on are not chunks".formatted(position);
        break;
      }
      chunks.add(chunk);
      clock = chunk.end();
      position += InstructionLayout.CHUNK_HEAD + chunk.stored();
    }
    return this;
  }

  /** A chunk's header; null if it is none. */
  public static @Nullable Chunk chunk(ByteBuffer head, long offset) {
    Chunk chunk =
        new Chunk(
            offset,
            head.getInt(4),
            head.getInt(8),
            head.getInt(12),
            head.getLong(16),
            head.getLong(24),
            head.getLong(32));
    boolean sound =
        head.getInt(0) == InstructionLayout.CHUNK_MAGIC
            && chunk.length() >= 0
            && chunk.length() <= InstructionLayout.CHUNK_RECORDS
            && chunk.stored() >= 0
            && chunk.stored() <= chunk.length()
            && chunk.begin() >= 0
            && chunk.end() >= chunk.begin()
            && chunk.blocks() >= 0
            && chunk.blocks() <= InstructionLayout.CHUNK_BLOCKS;
    return sound ? chunk : null;
  }

  public List<Chunk> chunks() {
    return chunks;
  }

  /** What is wrong with the file; null if nothing is. */
  public @Nullable String damage() {
    return damage;
  }

  public String name() {
    return name;
  }

  /**
   * A chunk's records.
   *
   * @throws IOException if they are damaged or cannot be read
   */
  public byte[] records(Chunk chunk) throws IOException {
    ByteBuffer stored =
        files.read(name, chunk.offset() + InstructionLayout.CHUNK_HEAD, chunk.stored());
    CRC32 crc = new CRC32();
    crc.update(stored.duplicate());
    if (stored.remaining() < chunk.stored() || (int) crc.getValue() != chunk.crc()) {
      throw new IOException(damaged(chunk));
    }
    byte[] bytes = new byte[chunk.stored()];
    stored.get(bytes);
    if (chunk.stored() == chunk.length()) {
      return bytes;
    }
    try {
      byte[] records = Zstd.decompress(bytes, chunk.length());
      if (records.length == chunk.length()) {
        return records;
      }
    } catch (ZstdException e) {
      throw new IOException(damaged(chunk), e);
    }
    throw new IOException(damaged(chunk));
  }

  private String damaged(Chunk chunk) {
    return "instructions are damaged: file=%s position=%d".formatted(name, chunk.offset());
  }
}
