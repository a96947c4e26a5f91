package dev.kymo.instructions.trace;

import com.github.luben.zstd.Zstd;
import dev.kymo.format.InstructionLayout;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32;

/** Appends chunks to the files of their threads. */
public final class ChunkWriter {
  /** Keeps up with a program that is recorded; higher ones do not. */
  private static final int LEVEL = 1;

  private ChunkWriter() {}

  /**
   * Appends a chunk; its records are compressed if that makes them smaller.
   *
   * @param chunk begin, end and blocks
   * @return bytes that were written
   */
  public static int append(Path file, Chunk chunk, byte[] records) throws IOException {
    byte[] compressed = Zstd.compress(records, LEVEL);
    byte[] stored = compressed.length < records.length ? compressed : records;
    CRC32 crc = new CRC32();
    crc.update(stored);
    ByteBuffer bytes =
        ByteBuffer.allocate(InstructionLayout.CHUNK_HEAD + stored.length)
            .order(ByteOrder.LITTLE_ENDIAN);
    bytes.putInt(InstructionLayout.CHUNK_MAGIC).putInt((int) crc.getValue());
    bytes.putInt(records.length).putInt(stored.length);
    bytes.putLong(chunk.begin()).putLong(chunk.end()).putLong(chunk.blocks()).put(stored).flip();
    int size = bytes.remaining();
    try (FileChannel to =
        FileChannel.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND)) {
      long before = to.size();
      try {
        while (bytes.hasRemaining()) {
          to.write(bytes);
        }
      } catch (IOException e) {
        to.truncate(before);
        throw e;
      }
    }
    return size;
  }
}
