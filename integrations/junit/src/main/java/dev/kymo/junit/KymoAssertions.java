package dev.kymo.junit;

import dev.kymo.api.Unrecorded;
import java.time.Duration;

/** Assertions about a test's recording, so far. */
@Unrecorded
public final class KymoAssertions {
  private KymoAssertions() {}

  /** Says what must be true of a recording. */
  public static RecordingAssert assertThat(Recording recording) {
    return new RecordingAssert(recording);
  }

  /** A length of time in a rule. */
  private static String text(Duration time) {
    long nanos = time.toNanos();
    return nanos % 1_000_000 == 0
        ? nanos / 1_000_000 + " ms"
        : nanos % 1000 == 0 ? nanos / 1000 + " us" : nanos + " ns";
  }

  /** Of a recording. */
  @Unrecorded
  public static final class RecordingAssert {
    private final Recording recording;

    private RecordingAssert(Recording recording) {
      this.recording = recording;
    }

    /**
     * Rules of {@code kymo check} are kept.
     *
     * @throws AssertionError if one is violated, or that is not known; the message says where, or
     *     why
     */
    public RecordingAssert keeps(String... rules) {
      String violation = recording.violation(rules);
      if (violation != null) {
        throw new AssertionError(violation);
      }
      return this;
    }

    /** The calls of methods: {@code shop.Stock.load}; {@code *} stands for anything. */
    public CallsAssert calls(String method) {
      return new CallsAssert(this, method);
    }

    /**
     * This thread, which is the test's mostly, did not wait longer at once, for whatever; earlier
     * assertions about the recording are such waits, too.
     */
    public RecordingAssert hasNoWaitOver(Duration time) {
      return keeps(
          "no wait over " + text(time) + " in thread '" + Thread.currentThread().getName() + "'");
    }

    /** No thread waited longer at once for a lock of {@code synchronized}. */
    public RecordingAssert hasNoWaitForMonitorOver(Duration time) {
      return keeps("no wait for monitor over " + text(time));
    }
  }

  /** Of the calls of some methods. */
  @Unrecorded
  public static final class CallsAssert {
    private final RecordingAssert recording;
    private final String method;

    private CallsAssert(RecordingAssert recording, String method) {
      this.recording = recording;
      this.method = '\'' + method + '\'';
    }

    public RecordingAssert isAtMost(long number) {
      return recording.keeps("calls of " + method + " at most " + number);
    }

    public RecordingAssert isAtLeast(long number) {
      return recording.keeps("calls of " + method + " at least " + number);
    }

    public RecordingAssert isExactly(long number) {
      return recording.keeps(
          "calls of " + method + " at most " + number,
          "calls of " + method + " at least " + number);
    }

    public RecordingAssert takesAtMost(Duration time) {
      return recording.keeps("no call of " + method + " over " + text(time));
    }
  }
}
