package dev.kymo.instructions;

import dev.kymo.format.InstructionLayout;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.zip.CRC32;

/** A trace that a test makes up: the files as the plugin and the recorder write them. */
final class MadeTrace implements InstructionFiles {
  private final Map<String, byte[]> files = new HashMap<>();
  private final ByteArrayOutputStream facts = new ByteArrayOutputStream();
  private int blocks;

  /** A trace of a process. */
  MadeTrace(int how) {
    process(1, how);
  }

  private static ByteBuffer buffer(int size) {
    return ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
  }

  private void fact(int kind, ByteBuffer fact, byte[] rest) {
    ByteBuffer head = buffer(8).putInt(kind).putInt(fact.capacity() + rest.length);
    facts.writeBytes(head.array());
    facts.writeBytes(fact.array());
    facts.writeBytes(rest);
  }

  private static byte[] text(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** The facts after this are about another process of a machine. */
  void about(int process) {
    fact(InstructionLayout.FACT_ABOUT, buffer(4).putInt(process), new byte[0]);
    process(process, InstructionLayout.BEGIN_EXEC);
  }

  private void process(int number, int how) {
    ByteBuffer fact = buffer(28).putLong(0).putInt(100 + number).putInt(1).putInt(0).putInt(how);
    fact(InstructionLayout.FACT_PROCESS, fact, text("program"));
  }

  void entry(int number, int kind, String name) {
    fact(InstructionLayout.FACT_ENTRY, buffer(8).putInt(number).putInt(kind), text(name));
  }

  /** Adds a block; returns its number. */
  int block(long address, String... instructions) {
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

  /** Names the functions of a process. */
  void functions(int process, FunctionFile.Function... functions) {
    files.put(
        FunctionFile.fileName(process),
        new FunctionFile(List.of(), List.of(functions)).bytes().array());
  }

  /** What a thread did. */
  void thread(int process, int thread, long begin, Records records) {
    byte[] bytes = records.bytes.toByteArray();
    CRC32 crc = new CRC32();
    crc.update(bytes);
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
    files.put(ChunkFile.fileName(process, thread), chunk.array());
  }

  /** Records of a chunk. */
  static final class Records {
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
    Records blocks(int... blocks) {
      for (int block : blocks) {
        varint(0).varint(block);
      }
      return this;
    }

    /** Blocks that were predicted. */
    Records run(int length) {
      return varint(length).varint(0).varint(InstructionLayout.EVENT_FORGET);
    }

    Records event(int kind, long... values) {
      varint(0).varint(0).varint(kind);
      for (long value : values) {
        varint(value);
      }
      return this;
    }
  }

  void put(String name, byte[] bytes) {
    files.put(name, bytes);
  }

  InstructionTrace open() throws IOException {
    ByteBuffer head = buffer(InstructionLayout.FACTS_HEAD + facts.size());
    head.putInt(InstructionLayout.FACTS_MAGIC).putInt(1).putLong(head.capacity());
    files.put(ProcessFacts.fileName(1), head.put(facts.toByteArray()).array());
    return InstructionTrace.open(this, new UUID(1, 2));
  }

  @Override
  public List<String> names() {
    return files.keySet().stream().sorted().toList();
  }

  private byte[] file(String name) throws IOException {
    byte[] file = files.get(name);
    if (file == null) {
      throw new NoSuchFileException(name);
    }
    return file;
  }

  @Override
  public long size(String name) throws IOException {
    return file(name).length;
  }

  @Override
  public int read(String name, ByteBuffer to, long position) throws IOException {
    byte[] file = file(name);
    int size = Math.min(to.remaining(), file.length - (int) position);
    to.put(file, (int) position, Math.max(0, size));
    return size;
  }
}
