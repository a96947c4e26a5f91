package dev.kymo.analysis.cause;

import dev.kymo.model.calls.CallCursor;
import dev.kymo.model.calls.CallPass;
import dev.kymo.model.calls.CallSink;
import dev.kymo.model.calls.ThreadCalls;
import dev.kymo.model.definitions.TrackKind;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What one thread waited for by its program's own report, to be handed out to its calls: each wait
 * to the innermost call that it began in. Clock ticks. Not safe for use by several threads.
 */
public final class ProgramWaits {
  /** Waits that are kept of one recording, at most; the rest is not handed out. */
  private static final int MOST = 1 << 22;

  private long[] begins = {};
  private long[] ends = {};
  private int[] states = {};
  private int count;

  /** The first wait that begins after the calls that have come. */
  private int next;

  /** Waits that have begun, and whose call has not come. */
  private int[] pending = new int[4];

  private int depth;

  /** Takes waits. */
  @FunctionalInterface
  public interface Visitor {
    /**
     * A wait of a call.
     *
     * @param state number of its method
     * @param time of it
     */
    void wait(int state, long time);
  }

  private ProgramWaits() {}

  /** Waits come in the order of their ends. */
  private void add(int state, long begin, long end) {
    long from = count == 0 ? begin : Math.max(begin, ends[count - 1]);
    if (from >= end) {
      return;
    }
    if (count == begins.length) {
      int size = Math.max(8, count * 2);
      begins = Arrays.copyOf(begins, size);
      ends = Arrays.copyOf(ends, size);
      states = Arrays.copyOf(states, size);
    }
    begins[count] = from;
    ends[count] = end;
    states[count++] = state;
  }

  /** A call of the thread has come, after those that it made; hands out its own waits. */
  public void call(long begin, long end, Visitor visitor) {
    while (next < count && begins[next] < end) {
      if (depth == pending.length) {
        pending = Arrays.copyOf(pending, depth * 2);
      }
      pending[depth++] = next++;
    }
    while (depth > 0 && begins[pending[depth - 1]] >= begin) {
      int wait = pending[--depth];
      visitor.wait(states[wait], Math.min(ends[wait], end) - begins[wait]);
    }
  }

  /** The waits of each thread of calls; null where there are none. */
  public static Function<ThreadCalls, @Nullable ProgramWaits> read(CallPass pass) {
    Map<ThreadKey, ProgramWaits> known = new HashMap<>();
    pass.readStates(
        new CallSink() {
          private int left = MOST;

          @Override
          public void call(CallCursor call) {
            ThreadCalls thread = call.thread();
            boolean wait = TrackKind.of(thread.definition()) == TrackKind.STATES;
            if (wait && left-- > 0) {
              known
                  .computeIfAbsent(
                      ThreadKey.of(thread.process(), thread.definition()), k -> new ProgramWaits())
                  .add(call.method(), call.begin(), call.end());
            }
          }
        });
    return thread -> known.get(ThreadKey.of(thread.process(), thread.definition()));
  }
}
