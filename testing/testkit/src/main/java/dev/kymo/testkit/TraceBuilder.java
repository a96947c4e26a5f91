package dev.kymo.testkit;

import dev.kymo.format.InstructionLayout;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.SortedMap;
import java.util.zip.CRC32;

/**
 * A trace of instructions that a test makes up: the files as the plugin and the recorder write
 * them.
 */
public final class TraceBuilder {
  private static final int FUNCTIONS_MAGIC = 0x4e46594b;

  private final Map<String, byte[]> files = new HashMap<>();
  private final ByteArrayOutputStream facts = new ByteArrayOutputStream();
  private int blocks;

  /** A trace of a process. */
  public TraceBuilder(int how) {
    process(1, how);
  }

  private static ByteBuffer buffer(int size) {
    return ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** All bytes of a buffer. */
  private static byte[] bytes(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.capacity()];
    buffer.get(0, bytes);
    return bytes;
  }

  private void fact(int kind, ByteBuffer fact, byte[] rest) {
    ByteBuffer head = buffer(8).putInt(kind).putInt(fact.capacity() + rest.length);
    facts.writeBytes(bytes(head));
    facts.writeBytes(bytes(fact));
    facts.writeBytes(rest);
  }

  private static byte[] text(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** The facts after this are about another process of a machine. */
  public void about(int process) {
    fact(InstructionLayout.FACT_ABOUT, buffer(4).putInt(process), new byte[0]);
    process(process, InstructionLayout.BEGIN_EXEC);
  }

  private void process(int number, int how) {
    ByteBuffer fact = buffer(28).putLong(0).putInt(100 + number).putInt(1).putInt(0).putInt(how);
    fact(InstructionLayout.FACT_PROCESS, fact, text("program"));
  }

  /** Names a way into a machine's kernel. */
  public void entry(int number, int kind, String name) {
    fact(InstructionLayout.FACT_ENTRY, buffer(8).putInt(number).putInt(kind), text(name));
  }

  /** Adds a block; returns its number. */
  public int block(long address, String... instructions) {
    ByteArrayOutputStream code = new ByteArrayOutputStream();
    ByteArrayOutputStream lengths = new ByteArrayOutputStream();
    for (String hex : instructions) {
      byte[] bytes = HexFormat.of().parseHex(hex);
      lengths.write(bytes.length);
      code.writeBytes(bytes);
    }
    lengths.writeBytes(code.toByteArray());
    ByteBuffer fact = buffer(10).putLong(address).putShort((short) instructions.length);
    fact(InstructionLayout.FACT_BLOCK, fact, lengths.toByteArray());
    return ++blocks;
  }

  /**
   * Names the functions of a process, as the recorder does at the end.
   *
   * @param functions names by address
   */
  public void functions(int process, SortedMap<Long, String> functions) {
    ByteBuffer bytes =
        buffer(12 + functions.size() * 10 + String.join("", functions.values()).length());
    bytes.putInt(FUNCTIONS_MAGIC).putInt(0).putInt(functions.size());
    functions.forEach(
        (address, name) -> bytes.putLong(address).putShort((short) name.length()).put(text(name)));
    files.put("p" + process + "-functions", bytes(bytes));
  }

  /** What a thread did. */
  public void thread(int process, int thread, long begin, Records records) {
    byte[] bytes = records.bytes.toByteArray();
    CRC32 crc = new CRC32();
    crc.update(bytes);
    fact(
        InstructionLayout.FACT_THREAD,
        buffer(16).putLong(begin).putInt(thread).putInt(1000 + thread),
        text("thread-" + thread));
    ByteBuffer chunk =
        buffer(InstructionLayout.CHUNK_HEAD + bytes.length)
            .putInt(InstructionLayout.CHUNK_MAGIC)
            .putInt((int) crc.getValue())
            .putInt(bytes.length)
            .putInt(bytes.length)
            .putLong(begin)
            .putLong(begin + 1000)
            .putLong(1)
            .put(bytes);
    files.put("p%d-thread-%d".formatted(process, thread), bytes(chunk));
  }

  /** Records of a chunk. */
  public static final class Records {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    private Records varint(long varint) {
      long left = varint;
      while (left >>> 7 != 0) {
        bytes.write((int) (left | 0x80));
        left >>>= 7;
      }
      bytes.write((int) left);
      return this;
    }

    /** Blocks that were not predicted. */
    public Records blocks(int... blocks) {
      for (int block : blocks) {
        varint(0).varint(block);
      }
      return this;
    }

    /** What is no block: a kind and its numbers. */
    public Records event(int kind, long... values) {
      varint(0).varint(0).varint(kind);
      for (long value : values) {
        varint(value);
      }
      return this;
    }
  }

  /** The files by name. */
  public Map<String, byte[]> files() {
    ByteBuffer head = buffer(InstructionLayout.FACTS_HEAD + facts.size());
    head.putInt(InstructionLayout.FACTS_MAGIC).putInt(1).putLong(head.capacity());
    files.put("p1-facts", bytes(head.put(facts.toByteArray())));
    return files;
  }

  /** Writes the files into a directory. */
  public void write(Path directory) throws IOException {
    for (Map.Entry<String, byte[]> file : files().entrySet()) {
      Files.write(directory.resolve(file.getKey()), file.getValue());
    }
  }
}
