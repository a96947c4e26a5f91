package dev.kymo.scripts;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.util.Comparator;
import org.mozilla.javascript.Callable;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.ContextFactory;
import org.mozilla.javascript.Script;
import org.mozilla.javascript.Scriptable;

/**
 * Environment in which scripts run: without Java's classes, files or network, each call for a
 * limited time and with limited memory. The limits are looked at whenever Rhino has counted some
 * thousand instructions of the script. A function of the language itself, which can fill an array
 * of a thousand million elements, counts none and cannot be interrupted: {@link Watch} reports it.
 */
final class Sandbox extends ContextFactory {
  /** Processor time that a call for one event may take: what others take is not its fault. */
  static final long MAX_NANOS = 2_000_000_000L;

  /** Bytes that a call for one event may use, whether it keeps them or not. */
  static final long MAX_CALL_BYTES = 128L << 20;

  private static final int INSTRUCTIONS = 20_000;

  /** What all calls together keep is looked at after so many. */
  private static final int CALLS = 1 << 10;

  /** Per cent of the largest part of the heap. */
  private static final long MAX_KEPT = 70;

  private static final MemoryPoolMXBean HEAP = largestPool();

  private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  /** The thread's processor time when the call that runs was looked at first: 0 = not yet. */
  private long begun;

  private long bytesAtBegin;
  private int calls;
  private final Watch watch;

  Sandbox(Watch watch) {
    this.watch = watch;
  }

  /** A limit was met; not an exception, so that a script cannot catch it. */
  static final class LimitError extends Error {
    private static final long serialVersionUID = 1;

    LimitError(String limit) {
      super(limit);
    }
  }

  @Override
  protected Context makeContext() {
    Context context = super.makeContext();
    context.setLanguageVersion(Context.VERSION_ES6);
    context.setClassShutter(name -> false);
    context.setGenerateObserverCount(true);
    context.setInstructionObserverThreshold(INSTRUCTIONS);
    return context;
  }

  @Override
  protected boolean hasFeature(Context context, int feature) {
    return switch (feature) {
      case Context.FEATURE_ENHANCED_JAVA_ACCESS, Context.FEATURE_E4X -> false;
      default -> super.hasFeature(context, feature);
    };
  }

  @Override
  protected void observeInstructionCount(Context context, int count) {
    if (begun == 0) { // instructions of the calls before count, too
      begun = threads.getCurrentThreadCpuTime();
      bytesAtBegin = threads.getCurrentThreadAllocatedBytes();
      return;
    }
    if (threads.getCurrentThreadAllocatedBytes() - bytesAtBegin > MAX_CALL_BYTES) {
      throw new LimitError("it used too much memory for one event: most_bytes=" + MAX_CALL_BYTES);
    }
    if (threads.getCurrentThreadCpuTime() - begun > MAX_NANOS) {
      throw new LimitError("it took too long for one event: most_s=" + MAX_NANOS / 1_000_000_000L);
    }
  }

  @Override
  protected Object doTopCall(
      Callable callable, Context context, Scriptable scope, Scriptable of, Object[] arguments) {
    beginCall();
    Object result = super.doTopCall(callable, context, scope, of, arguments);
    watch.pause();
    return result;
  }

  @Override
  protected Object doTopCall(Script script, Context context, Scriptable scope, Scriptable of) {
    beginCall();
    Object result = super.doTopCall(script, context, scope, of);
    watch.pause();
    return result;
  }

  private void beginCall() {
    watch.running();
    begun = 0;
    if (++calls == CALLS) {
      calls = 0;
      checkKept();
    }
  }

  /** What a script keeps from event to event is part of what the last collection has left. */
  private static void checkKept() {
    MemoryUsage left = HEAP.getCollectionUsage();
    if (left != null && left.getUsed() > left.getMax() / 100 * MAX_KEPT && left.getMax() > 0) {
      throw new LimitError(
          "it keeps too much memory from event to event: heap_bytes="
              + Runtime.getRuntime().maxMemory());
    }
  }

  private static MemoryPoolMXBean largestPool() {
    return ManagementFactory.getMemoryPoolMXBeans().stream()
        .filter(pool -> pool.getType() == MemoryType.HEAP)
        .max(Comparator.comparingLong(pool -> pool.getUsage().getMax()))
        .orElseThrow();
  }
}
