package dev.kymo.instructions;

import java.util.Arrays;

/**
 * Where the functions of a process begin, and which methods of the recording they are. For each
 * block it knows the function that the block lies in.
 */
final class Functions {
  /** A block that lies in no known function. */
  static final int NONE = -1;

  /** Marks methods that are system calls: the number is in the low bits. */
  static final long SYSTEM_CALL = 1L << 63;

  /** Marks methods that are signals. */
  static final long SIGNAL = 1L << 62;

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
  Functions(Blocks blocks, long[] starts) {
    this.starts = starts;
    functionOf = new int[blocks.count()];
    startsFunction = new boolean[blocks.count()];
    thunks = new boolean[blocks.count()];
    entries = new boolean[blocks.count()];
    functionOf[0] = NONE;
    for (int i = 1; i < blocks.count(); i++) {
      int found = Arrays.binarySearch(starts, blocks.address(i));
      startsFunction[i] = found >= 0;
      functionOf[i] = found >= 0 ? found : -found - 2;
      thunks[i] = blocks.isThunk(i);
      entries[i] = startsFunction[i] || thunks[i];
    }
  }

  /** The function that a block lies in; {@link #NONE} if it comes before the first one. */
  int of(int block) {
    return functionOf[block];
  }

  /** Whether a function begins with a block. */
  boolean isStart(int block) {
    return startsFunction[block];
  }

  /** By block: whether a function begins with it, or it leads to one. */
  boolean[] entries() {
    return entries;
  }

  /** Whether a block only leads to a function. */
  boolean isThunk(int block) {
    return thunks[block];
  }

  /** Where a function begins. */
  long start(int function) {
    return starts[function];
  }
}
