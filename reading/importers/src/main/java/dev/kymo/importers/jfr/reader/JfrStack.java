package dev.kymo.importers.jfr.reader;

import org.jspecify.annotations.Nullable;

/** A stack: its methods, without their lines, because a file can have very many stacks. */
public final class JfrStack {
  static final String TYPE = "StackTrace";
  private static final long[] NONE = {};

  private final boolean truncated;
  private final long[] methods;
  private final @Nullable JfrType methodType;

  private JfrStack(boolean truncated, long[] methods, @Nullable JfrType methodType) {
    this.truncated = truncated;
    this.methods = methods;
    this.methodType = methodType;
  }

  static JfrStack of(JfrType type, Object value) {
    int place = type.place("frames");
    if (place < 0
        || !(value instanceof Object[] fields)
        || !(fields[place] instanceof Object[] frames)) {
      return new JfrStack(false, NONE, null);
    }
    JfrType frame = type.fields().get(place).type();
    int method = frame.place("method");
    long[] methods = new long[frames.length];
    for (int i = 0; i < frames.length; i++) {
      boolean known = method >= 0 && frames[i] instanceof Object[] of && of[method] instanceof Long;
      methods[i] = known ? (long) ((Object[]) frames[i])[method] : 0;
    }
    return new JfrStack(
        Boolean.TRUE.equals(type.get(fields, "truncated")),
        methods,
        method < 0 ? null : frame.fields().get(method).type());
  }

  /** Whether outer frames are missing. */
  public boolean isTruncated() {
    return truncated;
  }

  public int depth() {
    return methods.length;
  }

  /** The method of a frame, 0 = the innermost; null if it is not known. */
  public Object @Nullable [] method(int frame, Constants constants) {
    JfrType type = methodType;
    return type != null && constants.get(type, methods[frame]) instanceof Object[] method
        ? method
        : null;
  }

  /** The key of a frame's method, 0 = the innermost. */
  public long key(int frame) {
    return methods[frame];
  }

  /** The type of methods; null if there are none. */
  public @Nullable JfrType methodType() {
    return methodType;
  }
}
