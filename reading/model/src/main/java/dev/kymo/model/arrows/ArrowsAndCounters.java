package dev.kymo.model;

import java.util.EnumMap;
import java.util.Map;

/**
 * What a picture is drawn of beside calls. Arrows: messages, and states of which it is known who
 * ended them; and the ranges of counters.
 */
final class AllWaits {
  private static final int MAX = 1 << 20;

  /** There may be millions in a second: an index is made with little memory. */
  private static final int MAX_OF_KERNEL = 1 << 18;

  private static final int CHANCE_BITS = 30;

  private final Map<ArrowKind, Waits> byKind = new EnumMap<>(ArrowKind.class);

  private final Messages messages = new Messages();
  private final Counters counters = new Counters();

  AllWaits() {
    for (ArrowKind kind : ArrowKind.values()) {
      if (kind != ArrowKind.MESSAGE) {
        byKind.put(kind, new Waits(kind == ArrowKind.WAIT ? MAX : MAX_OF_KERNEL));
      }
    }
  }

  /** A state that ended. */
  void add(ArrowKind kind, long begin, long end, int thread, int other, int method) {
    // A hand-off takes no time, so that none is longer than another: chance picks those to keep.
    long from = kind == ArrowKind.HAND_OFF ? end - chance(end + thread) : begin;
    of(kind).add(from, end, thread, other, method);
  }

  private static long chance(long seed) {
    return (seed * 0x9E3779B97F4A7C15L) >>> (Long.SIZE - CHANCE_BITS);
  }

  /** What a state took, given the length it is kept with. */
  static long waited(ArrowKind kind, long length) {
    return kind == ArrowKind.HAND_OFF ? 0 : length;
  }

  /** Those of one kind. */
  Waits of(ArrowKind kind) {
    Waits waits = byKind.get(kind);
    if (waits == null) {
      throw new IllegalStateException("not all kinds are there: kind=" + kind);
    }
    return waits;
  }

  /** Those of the program's own. */
  Messages messages() {
    return messages;
  }

  Counters counters() {
    return counters;
  }

  void writeTo(Contents contents) {
    byKind.values().forEach(waits -> waits.writeTo(contents));
    messages.writeTo(contents);
    counters.writeTo(contents);
  }

  void readFrom(Contents.Reader contents) {
    byKind.values().forEach(waits -> waits.readFrom(contents));
    messages.readFrom(contents);
    counters.readFrom(contents);
  }
}
