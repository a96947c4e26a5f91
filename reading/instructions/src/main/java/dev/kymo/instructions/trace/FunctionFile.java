package dev.kymo.instructions.trace;

import dev.kymo.instructions.InstructionFiles;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The functions of a process that were executed, and the numbers of its methods: {@code
 * pN-functions}.
 *
 * <pre>
 *   byte  0  u32  magic
 *         4  u32  methods
 *         8  u32  functions
 *        12       for each method, by number from 1: u64 address, system call or signal
 *                 for each function, by address: u64 address, u16 bytes, name
 * </pre>
 *
 * @param methods {@link FunctionNumbers#addresses}
 * @param functions by address
 */
public record FunctionFile(List<Long> methods, List<Function> functions) {
  private static final int MAGIC = 0x4e46594b;
  private static final int MAX_SIZE = 256 << 20;
  private static final int MAX_NAME = 0xFFFF;

  /** A function; the name is empty if none is known. */
  public record Function(long address, String name) {}

  public static String fileName(int process) {
    return "p" + process + "-functions";
  }

  public long[] starts() {
    return functions.stream().mapToLong(Function::address).toArray();
  }

  public ByteBuffer bytes() {
    List<byte[]> names = new ArrayList<>();
    int size = 12 + 8 * methods.size();
    for (Function function : functions) {
      byte[] name = function.name().getBytes(StandardCharsets.UTF_8);
      names.add(name.length <= MAX_NAME ? name : new byte[0]);
      size += 10 + names.getLast().length;
    }
    ByteBuffer bytes = ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
    bytes.putInt(MAGIC).putInt(methods.size()).putInt(functions.size());
    methods.forEach(bytes::putLong);
    for (int i = 0; i < functions.size(); i++) {
      byte[] name = names.get(i);
      bytes.putLong(functions.get(i).address()).putShort((short) name.length).put(name);
    }
    return bytes.flip();
  }

  /**
   * Reads the file of a process.
   *
   * @throws IOException if it is missing or damaged
   */
  public static FunctionFile read(InstructionFiles files, int process) throws IOException {
    String name = fileName(process);
    long size = files.size(name);
    ByteBuffer bytes = files.read(name, 0, (int) Math.min(size, MAX_SIZE));
    try {
      if (bytes.getInt() != MAGIC) {
        throw damaged(name);
      }
      int methodCount = bytes.getInt();
      int functionCount = bytes.getInt();
      List<Long> methods = new ArrayList<>();
      for (int i = 0; i < methodCount; i++) {
        methods.add(bytes.getLong());
      }
      List<Function> functions = new ArrayList<>();
      long before = Long.MIN_VALUE;
      for (int i = 0; i < functionCount; i++) {
        long address = bytes.getLong();
        byte[] text = new byte[bytes.getShort() & 0xFFFF];
        bytes.get(text);
        if (address <= before) {
          throw damaged(name);
        }
        before = address;
        functions.add(new Function(address, new String(text, StandardCharsets.UTF_8)));
      }
      return new FunctionFile(methods, functions);
    } catch (BufferUnderflowException e) {
      throw damaged(name);
    }
  }

  private static IOException damaged(String name) {
    return new IOException("functions of instructions are damaged: file=" + name);
  }
}
