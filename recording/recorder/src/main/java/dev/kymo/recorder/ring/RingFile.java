package dev.kymo.recorder.ring;

import dev.kymo.format.PacketLayout;
import dev.kymo.format.RingLayout;
import dev.kymo.recorder.platform.AgentLibrary;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.UUID;

/** Makes the files of shared memory. */
public final class RingFile {
  private static final byte[] ZEROES = new byte[64 * 1024];

  private RingFile() {}

  /**
   * Makes a ring with every page present: a page that tmpfs cannot give later would kill the
   * program with SIGBUS, here it is an {@link IOException}.
   */
  public static ByteBuffer create(
      Path file,
      UUID uuid,
      int streamClass,
      int process,
      int ring,
      int subBufferSize,
      int subBuffers,
      int whenFull)
      throws IOException {
    ByteBuffer memory = map(file, RingLayout.HEADER_SIZE + subBufferSize * subBuffers);
    lay(memory, uuid, streamClass, process, ring, subBufferSize, subBuffers, whenFull);
    return memory;
  }

  /** Makes a ring of zeroed memory. */
  public static void lay(
      ByteBuffer memory,
      UUID uuid,
      int streamClass,
      int process,
      int ring,
      int subBufferSize,
      int subBuffers,
      int whenFull) {
    memory.putInt(RingLayout.SUB_BUFFER_SIZE_OFFSET, subBufferSize);
    memory.putInt(RingLayout.SUB_BUFFERS_OFFSET, subBuffers);
    memory.putInt(RingLayout.STREAM_CLASS_OFFSET, streamClass);
    memory.putInt(RingLayout.RING_OFFSET, ring);
    memory.putInt(RingLayout.PROCESS_OFFSET, process);
    memory.putInt(RingLayout.WHEN_FULL_OFFSET, whenFull);
    for (int i = 0; i < subBuffers; i++) {
      PacketLayout.open(
          memory, RingLayout.HEADER_SIZE + i * subBufferSize, uuid, streamClass, process, ring);
    }
    memory.putLong(RingLayout.MAGIC_OFFSET, RingLayout.MAGIC);
  }

  /** Makes a file of zeroes and maps it. An interrupt of the calling thread is kept for it. */
  public static ByteBuffer map(Path file, int size) throws IOException {
    return map(file, size, size);
  }

  /** As {@link #map(Path, int)}, of which only the first bytes get their pages now. */
  public static ByteBuffer map(Path file, int present, int size) throws IOException {
    boolean interrupted = Thread.interrupted();
    try {
      while (true) {
        try (RandomAccessFile f = new RandomAccessFile(file.toFile(), "rw")) {
          for (int at = 0; at < present; at += ZEROES.length) {
            f.write(ZEROES, 0, Math.min(ZEROES.length, present - at));
          }
          f.setLength(size);
          ByteBuffer mapped = AgentLibrary.map(file, size);
          return mapped != null
              ? mapped
              : f.getChannel()
                  .map(FileChannel.MapMode.READ_WRITE, 0, size)
                  .order(ByteOrder.LITTLE_ENDIAN);
        } catch (ClosedByInterruptException e) {
          interrupted |= Thread.interrupted();
        } catch (IOException e) {
          file.toFile().delete();
          throw e;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
