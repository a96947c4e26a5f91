package dev.kymo.instructions.trace;

import java.util.Arrays;

/**
 * Addresses at which the functions of a process begin, with their methods in the recording. For
 * each block it knows the function that the block lies in.
 */
public final class Functions {
  /** A block that lies in no known function. */
  public static final int NONE = -1;

  /**
   * The address of a system call, to which its number is added. No code has such addresses: the
   * upper 17 bits of code's are the same.
   */
  public static final long SYSTEM_CALL = 0x8000L << 48;

  /** The address of a signal, to which its number is added. */
  public static final long SIGNAL = 0x4000L << 48;

  /** The address of an exception or an interrupt, to which its number is added. */
  public static final long ENTRY = 0x2000L << 48;

  /** The address of not being executed, while others are. */
  public static final long WAITING = 0x1000L << 48;

  private static final int KIND_SHIFT = 48;

  private final long[] starts;
  private final int[] functionOf;
  private final boolean[] startsFunction;
  private final boolean[] thunks;
  private final boolean[] entries;

  /**
   * Looks at all blocks.
   *
   * @param starts addresses, in order
   */
  public Functions(Blocks blocks, long[] starts) {
    this.starts = starts;
    functionOf = new int[blocks.count()];
    startsFunction = new boolean[blocks.count()];
    thunks = new boolean[blocks.count()];
    entries = new boolean[blocks.count()];
    functionOf[0] = NONE;
    for (int i = 1; i < blocks.count(); i++) {
      int found = at(blocks.address(i));
      functionOf[i] = found;
      startsFunction[i] = found >= 0 && starts[found] == blocks.address(i);
      thunks[i] = blocks.isThunk(i);
      entries[i] = startsFunction[i] || thunks[i];
    }
  }

  /** The kernel's functions are not followed by a program's. */
  private int before(long address, int function) {
    return function >= 0 && (address ^ starts[function]) >= 0 ? function : NONE;
  }

  /** Whether an address is that of a {@link #SYSTEM_CALL}, a {@link #SIGNAL} and so on. */
  public static boolean is(long kind, long address) {
    return address >>> KIND_SHIFT == kind >>> KIND_SHIFT;
  }

  public static boolean isCode(long address) {
    long top = address >> (KIND_SHIFT - 1);
    return top == 0 || top == -1;
  }

  /** The function that an address lies in; {@link #NONE} if it comes before the first one. */
  public int at(long address) {
    int found = Arrays.binarySearch(starts, address);
    return found >= 0 ? found : before(address, -found - 2);
  }

  /** The function that a block lies in; {@link #NONE} if it comes before the first one. */
  public int of(int block) {
    return functionOf[block];
  }

  public boolean isStart(int block) {
    return startsFunction[block];
  }

  /** By block: whether a function begins with it, or it leads to one. */
  public boolean[] entries() {
    return entries;
  }

  /** Whether a block only leads to a function. */
  public boolean isThunk(int block) {
    return thunks[block];
  }

  public long start(int function) {
    return starts[function];
  }
}
