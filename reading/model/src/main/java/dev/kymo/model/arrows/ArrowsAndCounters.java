package dev.kymo.model.arrows;

import dev.kymo.model.index.Contents;
import java.util.EnumMap;
import java.util.Map;

/**
 * Parts of a picture besides calls: arrows, made of messages and of states that are known to have
 * been ended by another thread, and the ranges of counters.
 */
public final class ArrowsAndCounters {
  private static final int MAX = 1 << 20;

  /** There may be millions in a second: an index is made with little memory. */
  private static final int MAX_OF_KERNEL = 1 << 18;

  private static final int CHANCE_BITS = 30;

  private final Map<ArrowKind, WaitArrows> byKind = new EnumMap<>(ArrowKind.class);

  private final MessageArrows messages = new MessageArrows();
  private final CounterRanges counters = new CounterRanges();

  public ArrowsAndCounters() {
    for (ArrowKind kind : ArrowKind.values()) {
      if (kind != ArrowKind.MESSAGE) {
        byKind.put(kind, new WaitArrows(kind == ArrowKind.WAIT ? MAX : MAX_OF_KERNEL));
      }
    }
  }

  /** A state that ended. */
  public void add(ArrowKind kind, long begin, long end, int thread, int other, int method) {
    // A hand-off takes no time, so none is longer than another: chance picks those to keep.
    long from = kind == ArrowKind.HAND_OFF ? end - chance(end + thread) : begin;
    of(kind).add(from, end, thread, other, method);
  }

  private static long chance(long seed) {
    return (seed * 0x9E3779B97F4A7C15L) >>> (Long.SIZE - CHANCE_BITS);
  }

  /** How long a state took, given the length it is kept with. */
  public static long waited(ArrowKind kind, long length) {
    return kind == ArrowKind.HAND_OFF ? 0 : length;
  }

  public WaitArrows of(ArrowKind kind) {
    WaitArrows waits = byKind.get(kind);
    if (waits == null) {
      throw new IllegalStateException("not all kinds are there: kind=" + kind);
    }
    return waits;
  }

  public MessageArrows messages() {
    return messages;
  }

  public CounterRanges counters() {
    return counters;
  }

  public void writeTo(Contents contents) {
    byKind.values().forEach(waits -> waits.writeTo(contents));
    messages.writeTo(contents);
    counters.writeTo(contents);
  }

  public void readFrom(Contents.Reader contents) {
    byKind.values().forEach(waits -> waits.readFrom(contents));
    messages.readFrom(contents);
    counters.readFrom(contents);
  }
}
