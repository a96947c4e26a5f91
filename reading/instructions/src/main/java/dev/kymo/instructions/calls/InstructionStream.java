package dev.kymo.instructions.calls;

import dev.kymo.instructions.trace.ChunkFile;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The calls of a thread as a stream of packets. They lie nowhere: each chunk's packets are made
 * when they are read. Safe for use by several threads.
 */
public final class InstructionStream {
  /** Bytes of packets that are kept, of one thread. */
  private static final long KEPT = 32 << 20;

  private final InstructionTrace trace;
  private final int process;
  private final int thread;
  private final Map<Integer, byte[]> kept = new LinkedHashMap<>(16, 0.75f, true);
  private long keptBytes;

  InstructionStream(InstructionTrace trace, int process, int thread) {
    this.trace = trace;
    this.process = process;
    this.thread = thread;
  }

  public String name() {
    return name(process, thread);
  }

  public static String name(int process, int thread) {
    return "p" + process + "-instructions-" + thread;
  }

  /** The file with the blocks that it is made of, in the recording's directory of instructions. */
  public String fileName() {
    return ChunkFile.fileName(process, thread);
  }

  /** Bytes of all packets. */
  public long size() throws IOException {
    return trace.index(process, thread).size();
  }

  /** Fills the buffer from a position on, as far as the stream goes; returns the bytes read. */
  public int read(ByteBuffer to, long position) throws IOException {
    NestIndex index = trace.index(process, thread);
    int total = 0;
    while (to.hasRemaining()) {
      int chunk = index.find(position + total);
      if (chunk < 0) {
        break;
      }
      byte[] bytes = packets(index, chunk);
      int from = (int) (position + total - index.entries().get(chunk).position());
      int part = Math.min(to.remaining(), bytes.length - from);
      if (part <= 0) {
        throw new IOException("instructions were changed while they were read: file=" + fileName());
      }
      to.put(bytes, from, part);
      total += part;
    }
    return total;
  }

  private synchronized byte[] packets(NestIndex index, int chunk) throws IOException {
    byte[] known = kept.get(chunk);
    if (known != null) {
      return known;
    }
    NestIndex.Entry entry = index.entries().get(chunk);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    trace.packets(
        process,
        thread,
        chunk,
        entry,
        packet -> bytes.write(packet.array(), packet.arrayOffset(), packet.remaining()));
    byte[] made = bytes.toByteArray();
    kept.put(chunk, made);
    keptBytes += made.length;
    var oldest = kept.values().iterator();
    while (keptBytes > KEPT && kept.size() > 1) {
      keptBytes -= oldest.next().length;
      oldest.remove();
    }
    return made;
  }
}
