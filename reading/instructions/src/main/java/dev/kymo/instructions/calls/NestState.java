package dev.kymo.instructions.calls;

import dev.kymo.instructions.trace.BlockEnd;
import dev.kymo.instructions.trace.Functions;
import dev.kymo.instructions.trace.ProcessTrace;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;

/**
 * The calls that a thread is in, outermost first, and what it did last. Can be kept, so that a
 * reader begins with any chunk.
 */
final class NestState {
  static final byte CALL = 0;

  /** The outermost frame of a thread that began in the middle: where it returns to is unknown. */
  static final byte BASE = 1;

  /** A signal: the program goes on where it was interrupted. Its function is the block before. */
  static final byte SIGNAL = 2;

  /** A signal's handler: it returns to a few instructions that end the signal. */
  static final byte HANDLER = 3;

  /** A system call. Its function is the block before. */
  static final byte SYSTEM_CALL = 4;

  /** A {@link #way}: the next block is a signal's handler. */
  static final byte BY_SIGNAL = 127;

  private static final int BYTES = 4 + 4 + 8 + 1;

  int depth;

  /** So many of the outermost frames are those of the last {@link #checkpoint}. */
  private int common;

  /** So many of the outermost frames are not kept here, but in an earlier checkpoint. */
  private int base;

  int[] methods = new int[64];
  int[] functions = new int[64];
  long[] returns = new long[64];
  byte[] kinds = new byte[64];

  /** After the last block. */
  long clock;

  /** The last block; 0 = none. */
  int last;

  /**
   * How the next block is reached: by a thunk, which was called ({@link BlockEnd#CALL}) or jumped
   * to ({@link BlockEnd#JUMP}), by a signal ({@link #BY_SIGNAL}), or 0: from the last block.
   */
  byte way;

  long wayReturn;

  long wayClock;

  /** Whether the thread begins in these calls, because it was made by fork: it enters them. */
  boolean isNew;

  void push(byte kind, int method, int function, long returnTo) {
    if (depth == methods.length) {
      methods = Arrays.copyOf(methods, depth * 2);
      functions = Arrays.copyOf(functions, depth * 2);
      returns = Arrays.copyOf(returns, depth * 2);
      kinds = Arrays.copyOf(kinds, depth * 2);
    }
    kinds[depth] = kind;
    methods[depth] = method;
    functions[depth] = function;
    returns[depth] = returnTo;
    depth++;
  }

  void pop() {
    depth--;
    common = Math.min(common, depth);
  }

  /**
   * What a child begins with that is made now, in a system call.
   *
   * @param inCall whether it begins in the system call, which it returns from
   */
  NestState forked(boolean inCall) {
    NestState child = copy();
    child.isNew = true;
    for (int i = depth - 1; i >= 0; i--) {
      if (kinds[i] == SYSTEM_CALL) {
        child.depth = inCall ? i + 1 : i;
        child.last = functions[i];
        child.way = inCall ? BY_SIGNAL : 0;
        break;
      }
    }
    return child;
  }

  /**
   * The same in another process, which has the same code and numbers of its own for functions and
   * methods.
   */
  NestState in(ProcessTrace from, ProcessTrace to) {
    NestState there = copy();
    for (int i = 0; i < depth; i++) {
      there.methods[i] = to.methods().number(from.methods().address(methods[i]));
      if (kinds[i] != SIGNAL && kinds[i] != SYSTEM_CALL && functions[i] != Functions.NONE) {
        there.functions[i] = to.functions().at(from.functions().start(functions[i]));
      }
    }
    return there;
  }

  NestState copy() {
    NestState copy = new NestState();
    copy.depth = depth;
    int room = Math.max(depth, 64);
    copy.methods = Arrays.copyOf(methods, room);
    copy.functions = Arrays.copyOf(functions, room);
    copy.returns = Arrays.copyOf(returns, room);
    copy.kinds = Arrays.copyOf(kinds, room);
    copy.takePlace(this);
    return copy;
  }

  /** What has changed since the last checkpoint: with the earlier ones it is the whole. */
  NestState checkpoint() {
    NestState kept = new NestState();
    kept.takePlace(this);
    kept.depth = depth;
    kept.base = common;
    kept.methods = Arrays.copyOfRange(methods, common, depth);
    kept.functions = Arrays.copyOfRange(functions, common, depth);
    kept.returns = Arrays.copyOfRange(returns, common, depth);
    kept.kinds = Arrays.copyOfRange(kinds, common, depth);
    common = depth;
    return kept;
  }

  int base() {
    return base;
  }

  /**
   * The whole of a checkpoint, which can be changed.
   *
   * @param checkpoints all of the thread
   * @param number of this one
   */
  static NestState whole(List<NestState> checkpoints, int number) {
    NestState last = checkpoints.get(number);
    NestState whole = new NestState();
    whole.takePlace(last);
    whole.depth = last.depth;
    int room = Math.max(64, last.depth);
    whole.methods = new int[room];
    whole.functions = new int[room];
    whole.returns = new long[room];
    whole.kinds = new byte[room];
    int missing = last.depth;
    for (int i = number; missing > 0; i--) {
      NestState from = checkpoints.get(i);
      int count = missing - from.base;
      if (count > 0) {
        System.arraycopy(from.methods, 0, whole.methods, from.base, count);
        System.arraycopy(from.functions, 0, whole.functions, from.base, count);
        System.arraycopy(from.returns, 0, whole.returns, from.base, count);
        System.arraycopy(from.kinds, 0, whole.kinds, from.base, count);
        missing = from.base;
      }
    }
    return whole;
  }

  private void takePlace(NestState other) {
    clock = other.clock;
    last = other.last;
    way = other.way;
    wayReturn = other.wayReturn;
    wayClock = other.wayClock;
    isNew = other.isNew;
  }

  /** Bytes that {@link #put} writes of a checkpoint. */
  int size() {
    return 8 + (depth - base) * BYTES + 8 + 4 + 1 + 8 + 8 + 1;
  }

  void put(ByteBuffer to) {
    to.putInt(depth).putInt(base);
    for (int i = 0; i < depth - base; i++) {
      to.putInt(methods[i]).putInt(functions[i]).putLong(returns[i]).put(kinds[i]);
    }
    to.putLong(clock).putInt(last).put(way).putLong(wayReturn).putLong(wayClock);
    to.put((byte) (isNew ? 1 : 0));
  }

  /**
   * Reads what {@link #put} wrote; the buffer's end comes too early if it is damaged.
   *
   * @param earlier depth of the checkpoint before
   */
  static NestState get(ByteBuffer from, int earlier) {
    NestState state = new NestState();
    int depth = from.getInt();
    int base = from.getInt();
    if (base < 0 || base > earlier || base > depth || depth - base > from.remaining() / BYTES) {
      throw new BufferUnderflowException();
    }
    for (int i = base; i < depth; i++) {
      int method = from.getInt();
      int function = from.getInt();
      long returnTo = from.getLong();
      state.push(from.get(), method, function, returnTo);
    }
    state.depth = depth;
    state.base = base;
    state.clock = from.getLong();
    state.last = from.getInt();
    state.way = from.get();
    state.wayReturn = from.getLong();
    state.wayClock = from.getLong();
    state.isNew = from.get() != 0;
    return state;
  }
}
