package dev.kymo.importers.perfetto;

import dev.kymo.importers.perfetto.wire.Message;
import dev.kymo.importers.target.Target;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Takes packets, and gives what is in them to those that know it. */
final class Conversion {
  private static final int MOST_SEQUENCES = 1 << 16;
  private static final int CLEARED = 1;

  private final Target target;
  private final Survey survey;
  private final Map<Long, Sequence> sequences = new HashMap<>();
  private final TrackEvents events;
  private final KernelBundles kernel;
  private final Map<Integer, Long> others = new TreeMap<>();

  Conversion(Target target, Survey survey) throws IOException {
    this.target = target;
    this.survey = survey;
    Tracks tracks = new Tracks(target, survey);
    this.events = new TrackEvents(target, tracks);
    this.kernel = new KernelBundles(target, survey);
  }

  /** What a packet has besides its events. */
  private static final class Head {
    private long time;
    private int clock;
    private long sequence;
    private boolean cleared;
    private boolean dropped;
    private @Nullable Message interned;
    private @Nullable Message defaults;
    private @Nullable Message snapshot;
    private @Nullable Message event;
    private @Nullable Message bundle;
    private int other;
  }

  void packet(Message packet) throws IOException {
    Head head = head(packet);
    Sequence sequence = sequence(head.sequence);
    if (head.cleared) {
      sequence.clear();
    }
    if (head.interned != null) {
      sequence.interned(head.interned);
    }
    if (head.defaults != null) {
      sequence.defaults(head.defaults);
    }
    if (head.snapshot != null) {
      survey.clocks().snapshot(head.sequence, head.snapshot);
    }
    int clock = head.clock == 0 ? sequence.clock() : head.clock;
    if (head.event != null) {
      long time = survey.clocks().boot(head.sequence, clock, head.time);
      events.take(time, sequence, head.event, head.dropped);
    } else if (head.bundle != null) {
      kernel.take(head.bundle);
    } else if (head.other != 0) {
      others.merge(head.other, 1L, Long::sum);
    }
  }

  private static Head head(Message packet) {
    Head head = new Head();
    while (packet.next()) {
      switch (packet.field()) {
        case 1 -> head.bundle = packet.message();
        case 6 -> head.snapshot = packet.message();
        case 8 -> head.time = packet.number();
        case 10 -> head.sequence = packet.number();
        case 11 -> head.event = packet.message();
        case 12 -> head.interned = packet.message();
        case 13 -> head.cleared |= (packet.number() & CLEARED) != 0;
        case 41 -> head.cleared |= packet.number() != 0;
        case 42 -> head.dropped = packet.number() != 0;
        case 58 -> head.clock = (int) packet.number();
        case 59 -> head.defaults = packet.message();
        case 2, 3, 43, 44, 60, 79, 87 -> {} // the survey has taken them
        default -> head.other = packet.isNumber() ? head.other : packet.field();
      }
    }
    return head;
  }

  private Sequence sequence(long id) {
    Sequence known = sequences.get(id);
    if (known == null) {
      if (sequences.size() == MOST_SEQUENCES) {
        sequences.clear();
      }
      known = new Sequence();
      sequences.put(id, known);
    }
    return known;
  }

  /** Says which packets were not taken. */
  void end() throws IOException {
    if (!others.isEmpty()) {
      StringBuilder text =
          new StringBuilder("packets that are not read, by the number of their field:");
      others.forEach((field, count) -> text.append(' ').append(field).append(" x ").append(count));
      target.notice(text.toString());
    }
  }
}
