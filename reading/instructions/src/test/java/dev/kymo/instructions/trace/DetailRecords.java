package dev.kymo.instructions.trace;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** Records as the plugin writes them while a machine is replayed. */
public final class DetailRecords {
  private final ByteArrayOutputStream records = new ByteArrayOutputStream();
  private int count;

  public DetailRecords record() {
    count++;
    return this;
  }

  public DetailRecords single(int value) {
    records.write(value);
    return this;
  }

  public DetailRecords varint(long value) {
    long left = value;
    while (left >>> 7 != 0) {
      records.write((int) (left | 0x80));
      left >>>= 7;
    }
    records.write((int) left);
    return this;
  }

  DetailRecords signed(long value) {
    return varint(value << 1 ^ value >> 63);
  }

  public DetailRecords text(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    single(bytes.length);
    records.writeBytes(bytes);
    return this;
  }

  /** Ends a chunk, whose clocks are from begin to the one before end. */
  public void chunk(Path file, long begin, long end) throws IOException {
    byte[] bytes = records.toByteArray();
    ChunkWriter.append(file, new Chunk(0, 0, bytes.length, 0, begin, end, count), bytes);
    records.reset();
    count = 0;
  }
}
