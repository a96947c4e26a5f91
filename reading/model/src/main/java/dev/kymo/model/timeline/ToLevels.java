package dev.kymo.model;

import dev.kymo.format.Definition;
import dev.kymo.reader.EventBatch;

/**
 * Takes the calls, messages and counters of a recording that is read for the first time, and who
 * ended states.
 */
final class ToLevels extends CallsToSlices {
  private final ZoomLevels levels;
  private final AllWaits waits;
  private final Definitions definitions;
  private final MethodTable methods;
  private final NanoClock times;

  /** Thread whose next call has a detail; -1 = none. */
  private int detailed = -1;

  private int other;
  private TrackKind kind = TrackKind.STATES;

  ToLevels(ZoomLevels levels, AllWaits waits, CallPass pass) {
    super(pass);
    this.levels = levels;
    this.waits = waits;
    this.definitions = pass.definitions();
    this.methods = definitions.methods();
    this.times = pass.nanoClock();
  }

  @Override
  public void detail(ThreadCalls thread, long clock, int object, int otherThread) {
    kind = TrackKind.of(thread.definition());
    // The virtual machine works for a thread: nobody lets anybody go on.
    detailed = otherThread == 0 || kind == TrackKind.JVM ? -1 : thread.index();
    other = otherThread;
  }

  @Override
  public void event(ThreadCalls thread, int event, long clock, EventBatch batch, int word) {
    TracedEvent known = definitions.event(event);
    if (known.isCounter()) {
      double value = known.value(batch, word);
      waits.counters().add(thread.index(), event, times.nanos(clock), value);
    }
    boolean send = known.kind() == Definition.Event.SEND;
    if (send || known.kind() == Definition.Event.RECEIVE) {
      long time = times.nanos(clock);
      String channel = known.subsystem().name();
      waits.messages().add(channel, known.key(batch, word), send, time, thread.index(), event);
    }
  }

  @Override
  void put(int track, int depth, long begin, long end, long word, long n, long childTime) {
    levels.add(track, depth, begin, end, word, n, childTime);
    if (track == detailed) {
      detailed = -1;
      if ((word & Slice.OPEN_END) == 0) {
        int method = (int) (word >>> 32);
        ArrowKind arrow = ArrowKind.of(kind, methods.get(method));
        waits.add(arrow, begin, end, track, other, method);
      }
    }
  }
}
