package dev.kymo.server.answers;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.kymo.model.timeline.SliceSink;
import java.io.IOException;
import java.util.Arrays;

/**
 * Slices of one track, a column for each fact: smaller and faster than an object for each slice.
 * Times become offsets from the window's begin, which are exact as a browser's numbers.
 */
final class SliceColumns implements SliceSink {
  /** Beyond this a browser's numbers are not exact. */
  static final long MAX_OFFSET = (1L << 53) - 1;

  private final long from;
  private final int limit;
  private int size;
  private long[] begins = new long[64];
  private long[] ends = new long[64];
  private long[] calls = new long[64];
  private int[] depth = new int[64];
  private int[] methods = new int[64];
  private int[] flags = new int[64];

  /**
   * An empty table.
   *
   * @param from begin of the window
   * @param limit more slices than this end the collecting with {@link FullException}
   */
  SliceColumns(long from, int limit) {
    this.from = from;
    this.limit = limit;
  }

  /** Too many slices; thrown through the timeline, which would otherwise continue in vain. */
  static final class FullException extends RuntimeException {
    private static final long serialVersionUID = 1;

    FullException() {
      super("too many slices", null, false, false);
    }
  }

  int size() {
    return size;
  }

  @Override
  public void slice(int depth, int method, long begin, long end, long calls, int flags) {
    if (size == limit) {
      throw new FullException();
    }
    if (size == begins.length) {
      grow();
    }
    this.begins[size] = offset(begin, from);
    this.ends[size] = offset(end, from);
    this.calls[size] = calls;
    this.depth[size] = depth;
    this.methods[size] = method;
    this.flags[size] = flags;
    size++;
  }

  static long offset(long time, long from) {
    return Math.clamp(time - from, -MAX_OFFSET, MAX_OFFSET);
  }

  void write(JsonGenerator json) throws IOException {
    column(json, "begin", begins);
    column(json, "end", ends);
    column(json, "depth", depth);
    column(json, "method", methods);
    column(json, "calls", calls);
    column(json, "flags", flags);
  }

  private void column(JsonGenerator json, String name, long[] values) throws IOException {
    json.writeFieldName(name);
    json.writeArray(values, 0, size);
  }

  private void column(JsonGenerator json, String name, int[] values) throws IOException {
    json.writeFieldName(name);
    json.writeArray(values, 0, size);
  }

  private void grow() {
    int length = size * 2;
    begins = Arrays.copyOf(begins, length);
    ends = Arrays.copyOf(ends, length);
    calls = Arrays.copyOf(calls, length);
    depth = Arrays.copyOf(depth, length);
    methods = Arrays.copyOf(methods, length);
    flags = Arrays.copyOf(flags, length);
  }
}
