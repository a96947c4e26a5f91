package dev.kymo.instructions.trace;

/**
 * Kinds of ends of blocks, from the bytes of the last instruction. Source: the opcode maps of the
 * Intel 64 manual, volume 2, appendix A.
 */
public final class BlockEnd {
  /** It goes on with the next instruction; also a system call. */
  public static final byte NEXT = 0;

  /** A conditional jump, to an address that is in the instruction. */
  public static final byte BRANCH = 1;

  /** A jump to an address that is in the instruction. */
  public static final byte JUMP = 2;

  /** A jump to an address in a register or in memory. */
  public static final byte INDIRECT_JUMP = 3;

  /** A call of an address that is in the instruction. */
  public static final byte CALL = 4;

  /** A call of an address in a register or in memory. */
  public static final byte INDIRECT_CALL = 5;

  public static final byte RETURN = 6;

  /** The kernel is left: to where an exception or interrupt came, or a system call. */
  public static final byte LEVEL_RETURN = 7;

  private static final int SYSRET = 0x07;

  private BlockEnd() {}

  static byte of(byte[] code, int from, int to) {
    int at = afterPrefixes(code, from, to);
    if (at >= to) {
      return NEXT;
    }
    int opcode = code[at] & 0xFF;
    if (opcode == 0x0F) {
      int second = at + 1 < to ? code[at + 1] & 0xFF : 0;
      return (second & 0xF0) == 0x80 ? BRANCH : second == SYSRET ? LEVEL_RETURN : NEXT;
    }
    if (opcode == 0xFF) {
      return at + 1 < to ? indirect(code[at + 1] >> 3 & 7) : NEXT;
    }
    return switch (opcode) {
      case 0xE8 -> CALL;
      case 0xC2, 0xC3, 0xCA, 0xCB -> RETURN;
      case 0xCF -> LEVEL_RETURN;
      case 0xE9, 0xEB -> JUMP;
      case 0xE0, 0xE1, 0xE2, 0xE3 -> BRANCH;
      default -> opcode >= 0x70 && opcode <= 0x7F ? BRANCH : NEXT;
    };
  }

  private static byte indirect(int extension) {
    return switch (extension) {
      case 2, 3 -> INDIRECT_CALL;
      case 4, 5 -> INDIRECT_JUMP;
      default -> NEXT;
    };
  }

  private static int afterPrefixes(byte[] code, int from, int to) {
    int at = from;
    while (at < to && isPrefix(code[at] & 0xFF)) {
      at++;
    }
    return at;
  }

  private static boolean isPrefix(int value) {
    return switch (value) {
      case 0x26, 0x2E, 0x36, 0x3E, 0x64, 0x65, 0x66, 0x67, 0xF0, 0xF2, 0xF3 -> true;
      default -> value >= 0x40 && value <= 0x4F;
    };
  }

  /**
   * Where a {@link #JUMP}, {@link #CALL} or {@link #BRANCH} leads.
   *
   * @param end address after the instruction
   */
  static long target(byte[] code, int from, int to, long end) {
    int opcode = code[afterPrefixes(code, from, to)] & 0xFF;
    boolean isByte =
        opcode == 0xEB || (opcode >= 0x70 && opcode <= 0x7F) || (opcode >= 0xE0 && opcode <= 0xE3);
    if (isByte) {
      return end + code[to - 1];
    }
    int distance =
        (code[to - 4] & 0xFF)
            | ((code[to - 3] & 0xFF) << 8)
            | ((code[to - 2] & 0xFF) << 16)
            | (code[to - 1] << 24);
    return end + distance;
  }

  /**
   * Whether a block only leads to a function, as those of a procedure linkage table do: its first
   * call goes by way of the dynamic linker, later ones directly.
   */
  static boolean isThunk(byte[] code, int from, int size, int instructions, byte end) {
    int at = from;
    int left = instructions;
    boolean marked =
        size >= 4
            && code[from] == (byte) 0xF3
            && code[from + 1] == 0x0F
            && code[from + 2] == 0x1E
            && code[from + 3] == (byte) 0xFA;
    if (marked) { // endbr64
      at += 4;
      left--;
    }
    boolean pushes =
        left == 2 && at < from + size && (code[at] == 0x68 || pushesMemory(code, at, from + size));
    return switch (end) {
      case INDIRECT_JUMP -> (left == 1 && isRelative(code, at, from + size)) || pushes;
      case JUMP -> pushes;
      default -> false;
    };
  }

  private static boolean pushesMemory(byte[] code, int at, int end) {
    return at + 1 < end && code[at] == (byte) 0xFF && code[at + 1] == 0x35;
  }

  /** jmp *distance(%rip) */
  private static boolean isRelative(byte[] code, int at, int end) {
    int opcode = afterPrefixes(code, at, end);
    return opcode + 1 < end && code[opcode] == (byte) 0xFF && code[opcode + 1] == 0x25;
  }
}
