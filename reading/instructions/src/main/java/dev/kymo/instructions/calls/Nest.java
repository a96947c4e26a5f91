package dev.kymo.instructions.calls;

import dev.kymo.instructions.trace.BlockEnd;
import dev.kymo.instructions.trace.Blocks;
import dev.kymo.instructions.trace.FunctionNumbers;
import dev.kymo.instructions.trace.Functions;
import dev.kymo.instructions.trace.ProcessTrace;
import dev.kymo.instructions.trace.TraceSink;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds the calls of a thread in its blocks: a call instruction begins one, a return to where it
 * was called from ends it. System calls, signals, exceptions and interrupts are calls, too; in a
 * machine they have the kernel's calls in them.
 *
 * <p>What does not fit is followed as far as it makes sense: a jump to the begin of another
 * function is a call in the place of the last one; who goes on in one of its callers without
 * returning (longjmp, an exception) ends all calls above it.
 */
final class Nest implements TraceSink {
  /** Deeper calls are not told: a program that gets there is about to end. */
  private static final int MAX_DEPTH = 1 << 16;

  private static final int SIGRETURN = 15;
  private static final int CLONE = 56;
  private static final int FORK = 57;
  private static final int VFORK = 58;
  private static final int CLONE3 = 435;

  private final ProcessTrace process;
  private final Blocks blocks;
  private final int[] instructions;
  private final byte[] ends;
  private final Functions functions;
  private final boolean[] entries;
  private final FunctionNumbers methods;
  private final boolean machine;
  private final NestSink sink;
  private final NestState state;
  private final @Nullable PointFinder points;

  private final Map<Long, NestState> forks = new HashMap<>();

  private int systemCall = -1;
  private long raised;

  /**
   * Begins with a chunk.
   *
   * @param state before it; is that after it, then
   * @param points finds what does not fit; null: nobody wants to know
   */
  Nest(ProcessTrace process, NestState state, NestSink sink, @Nullable PointFinder points) {
    this.process = process;
    this.blocks = process.blocks();
    this.instructions = blocks.instructions();
    this.ends = blocks.ends();
    this.functions = process.functions();
    this.entries = functions.entries();
    this.methods = process.methods();
    this.machine = process.facts().isInMachine();
    this.state = state;
    this.sink = sink;
    this.points = points;
  }

  /** Enters the calls that a thread begins in, because it was made by fork. */
  void begin() {
    for (int i = 0; state.isNew && i < state.depth; i++) {
      sink.enter(state.methods[i], state.clock);
    }
    state.isNew = false;
  }

  /** The thread ends, or waits until the recording does. */
  void end() {
    if (machine && state.depth > 0) {
      sink.enter(methods.number(Functions.WAITING), state.clock);
    }
    if (points != null) {
      points.ended(state);
    }
  }

  /** By the pid of the child: the calls that its thread was in when it was made. */
  Map<Long, NestState> forks() {
    return forks;
  }

  /** By how much the clock went on without instructions. */
  long raised() {
    return raised;
  }

  @Override
  public void block(int block) {
    byte end = ends[state.last];
    if (leads(end, block) || state.last == 0 || state.way != 0) {
      transfer(end, block);
    }
    state.last = block;
    state.clock += instructions[block];
  }

  @Override
  public void unpredicted(int block) {
    long begin = state.clock;
    block(block);
    if (points != null) {
      points.block(block, begin);
    }
  }

  private void transfer(byte end, int block) {
    NestState now = state;
    if (points != null && (now.last == 0 || end == BlockEnd.LEVEL_RETURN)) {
      points.block(block, now.clock); // its first time was taken back if it faulted then
    }
    if (now.way == NestState.BY_SIGNAL) {
      now.way = 0;
      enter(NestState.HANDLER, method(block), functions.of(block), 0, now.clock);
      return;
    }
    if (now.last == 0 && now.depth == 0) {
      enterHere(block);
      return;
    }
    if (functions.isThunk(block) && (now.way != 0 || leads(end))) {
      if (now.way == 0) {
        boolean call = end == BlockEnd.CALL || end == BlockEnd.INDIRECT_CALL;
        now.way = call ? BlockEnd.CALL : BlockEnd.JUMP;
        now.wayReturn = blocks.end(now.last);
        now.wayClock = now.clock;
      }
      return;
    }
    if (now.way != 0) {
      byte way = now.way;
      now.way = 0;
      if (way == BlockEnd.CALL) {
        call(block, now.wayReturn, now.wayClock);
      } else {
        tail(block, now.wayClock);
      }
      return;
    }
    switch (end) {
      case BlockEnd.CALL, BlockEnd.INDIRECT_CALL -> call(block, blocks.end(now.last), now.clock);
      case BlockEnd.RETURN -> returned(block);
      case BlockEnd.JUMP, BlockEnd.BRANCH -> jump(block);
      case BlockEnd.INDIRECT_JUMP -> {
        if (functions.isStart(block)) {
          jump(block);
        } else if (functions.of(block) != functions.of(now.last)) {
          resume(block);
        }
      }
      case BlockEnd.LEVEL_RETURN -> levelReturned(block);
      default -> {} // goes on
    }
  }

  /** An exception or interrupt is over, unless the kernel only goes on: it serializes so. */
  private void levelReturned(int block) {
    if (blocks.address(block) == blocks.end(state.last)) {
      return;
    }
    for (int i = state.depth - 1; i >= 0; i--) {
      if (state.kinds[i] == NestState.SIGNAL) {
        leaveTo(i);
        byte end = ends[state.last];
        if (leads(end, block)) {
          transfer(end, block);
        }
        return;
      }
    }
    leaveTo(0); // a process begins, and what led to it is not known
    state.last = 0;
    enterHere(block);
  }

  /** Leaves a signal or a system call with all calls in it, for what was before. */
  private void leaveTo(int depth) {
    while (state.depth > depth) {
      leave(state.clock);
    }
    int before = state.functions[depth];
    state.last = before >= 0 && before < blocks.count() ? before : 0; // it may be from a file
  }

  /** Whether a block may be another function's than the one before, which ends so. */
  private boolean leads(byte end, int block) {
    return end >= BlockEnd.INDIRECT_JUMP || (end != BlockEnd.NEXT && entries[block]);
  }

  private static boolean leads(byte end) {
    return end != BlockEnd.NEXT && end != BlockEnd.RETURN && end != BlockEnd.LEVEL_RETURN;
  }

  private int method(int block) {
    return methods.number(blocks.address(block));
  }

  /** A thread begins, perhaps in the middle of a function. */
  private void enterHere(int block) {
    int function = functions.of(block);
    long address = blocks.address(block);
    if (function != Functions.NONE && process.facts().module(block) != null) {
      address = functions.start(function);
    }
    enter(NestState.BASE, methods.number(address), function, 0, state.clock);
  }

  private void call(int block, long returnTo, long clock) {
    if (state.depth < MAX_DEPTH) {
      enter(NestState.CALL, method(block), functions.of(block), returnTo, clock);
    }
  }

  private void enter(byte kind, int method, int function, long returnTo, long clock) {
    state.push(kind, method, function, returnTo);
    sink.enter(method, clock);
  }

  private void leave(long clock) {
    state.pop();
    sink.leave(state.methods[state.depth], clock);
  }

  /**
   * Ends calls that have not returned.
   *
   * @param to where the thread goes on
   */
  private void unwindTo(int depth, long to) {
    if (points != null && state.depth > depth) {
      points.left(state, depth, to);
    }
    while (state.depth > depth) {
      state.pop();
      sink.unwind(state.methods[state.depth], state.clock);
    }
  }

  /** Another function takes the place of the innermost one, unless it is the same. */
  private void jump(int block) {
    if (functions.of(block) != functions.of(state.last)) {
      tail(block, state.clock);
    }
  }

  private void tail(int block, long clock) {
    int top = state.depth - 1;
    byte kind = top < 0 ? NestState.BASE : state.kinds[top];
    if (kind == NestState.SIGNAL || kind == NestState.SYSTEM_CALL) {
      return;
    }
    long returnTo = top < 0 ? 0 : state.returns[top];
    if (top >= 0) {
      leave(clock);
    }
    enter(kind, method(block), functions.of(block), returnTo, clock);
  }

  private void returned(int block) {
    long address = blocks.address(block);
    int top = state.depth - 1;
    if (top >= 0 && state.returns[top] == address && state.kinds[top] == NestState.CALL) {
      leave(state.clock);
      return;
    }
    for (int i = top - 1; i >= 0; i--) {
      if (state.returns[i] == address && state.kinds[i] == NestState.CALL) {
        unwindTo(i + 1, address);
        leave(state.clock);
        return;
      }
    }
    if (top >= 0 && state.kinds[top] == NestState.HANDLER) {
      leave(state.clock);
      return;
    }
    if (isIndirectJump(block, top)) {
      leave(state.clock);
      tail(block, state.clock);
      return;
    }
    if (points != null) {
      points.unmatched(state, block);
    }
    resume(block);
  }

  /**
   * Until a kernel has patched itself, it calls a function whose address is in a register by a
   * call, whose return address it changes, and a return.
   */
  private boolean isIndirectJump(int block, int top) {
    return machine
        && blocks.address(block) < 0
        && functions.isStart(block)
        && top > 0
        && state.kinds[top] == NestState.CALL
        && state.kinds[top - 1] == NestState.CALL;
  }

  /** The thread goes on in the middle of a function, which it was in before, or not. */
  private void resume(int block) {
    int function = functions.of(block);
    if (function == Functions.NONE) {
      return;
    }
    for (int i = state.depth - 1; i >= 0; i--) {
      if (state.functions[i] == function && state.kinds[i] < NestState.SIGNAL) {
        unwindTo(i + 1, blocks.address(block));
        return;
      }
    }
    int top = state.depth - 1;
    if (top >= 0 && state.kinds[top] == NestState.BASE) {
      leave(state.clock);
      enterHere(block);
    }
  }

  @Override
  public void systemCall(int number, long[] arguments, int count) {
    systemCall = number;
    if (number == SIGRETURN && !machine) {
      for (int i = state.depth - 1; i >= 0; i--) {
        if (state.kinds[i] == NestState.SIGNAL) {
          unwindTo(i + 1, state.returns[i]);
          leaveTo(i);
          return;
        }
      }
      state.last = 0; // whatever comes is where the signal came
      return;
    }
    int method = methods.number(Functions.SYSTEM_CALL | number);
    enter(NestState.SYSTEM_CALL, method, state.last, 0, state.clock);
    state.way = machine ? NestState.BY_SIGNAL : 0;
  }

  private static boolean forks(int systemCall) {
    return systemCall == CLONE || systemCall == FORK || systemCall == VFORK || systemCall == CLONE3;
  }

  @Override
  public void returned(long result, long by) {
    state.clock += by;
    raised += by;
    if (result > 0 && forks(systemCall)) {
      forks.put(result, state.forked(machine));
    }
    systemCall = -1;
    for (int i = state.depth - 1; i >= 0; i--) {
      if (state.kinds[i] == NestState.SYSTEM_CALL) {
        leaveTo(i);
        return;
      }
      if (!machine) {
        return;
      }
    }
    if (machine) { // a thread begins
      leaveTo(0);
      state.last = 0;
    }
  }

  @Override
  public void switched(long by) {
    if (points != null) {
      points.switched(state, by);
    }
    int method = methods.number(Functions.WAITING);
    sink.enter(method, state.clock);
    state.clock += by;
    raised += by;
    sink.leave(method, state.clock);
  }

  @Override
  public void cut(int executed) {
    takeBack(executed);
    state.last = 0;
  }

  /** Of the last block only so many instructions count; returns how many do not. */
  private int takeBack(int executed) {
    int missing = Math.max(0, instructions[state.last] - executed);
    state.clock -= missing;
    if (points != null && missing > 0) {
      points.cut(state.last, state.clock);
    }
    return missing;
  }

  @Override
  public void entry(int entry, int executed, long address) {
    interrupted(Functions.ENTRY | entry, executed, address);
  }

  /** Nobody knows which calls ended meanwhile: all do. */
  @Override
  public void gap() {
    while (state.depth > 0) {
      leave(state.clock);
    }
    state.last = 0;
    state.way = 0;
  }

  @Override
  public void signal(int signal, int executed, long address) {
    if (signal != 0) {
      interrupted(Functions.SIGNAL | signal, executed, address);
    }
  }

  private void interrupted(long what, int executed, long address) {
    int missing = takeBack(executed);
    stayOnTheWay();
    if (points != null) {
      points.interrupted(state, what, address);
    }
    // What the last block would have led to comes afterwards, unless it was not completed.
    enter(
        NestState.SIGNAL, methods.number(what), missing > 0 ? 0 : state.last, address, state.clock);
    state.way = NestState.BY_SIGNAL;
  }

  /**
   * What only leads to a function is interrupted: it is a call itself, which the function then
   * replaces.
   */
  private void stayOnTheWay() {
    byte way = state.way;
    state.way = 0;
    if (way == BlockEnd.CALL) {
      call(state.last, state.wayReturn, state.wayClock);
    } else if (way == BlockEnd.JUMP) {
      tail(state.last, state.wayClock);
    }
  }
}
