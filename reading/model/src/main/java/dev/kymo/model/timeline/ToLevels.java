package dev.kymo.model.timeline;

import dev.kymo.format.EventKind;
import dev.kymo.model.arrows.ArrowKind;
import dev.kymo.model.arrows.ArrowsAndCounters;
import dev.kymo.model.calls.CallCursor;
import dev.kymo.model.calls.CallPass;
import dev.kymo.model.calls.Slice;
import dev.kymo.model.calls.ThreadCalls;
import dev.kymo.model.definitions.MethodTable;
import dev.kymo.model.definitions.NanoClock;
import dev.kymo.model.definitions.RecordedDefinitions;
import dev.kymo.model.definitions.TracedEvent;
import dev.kymo.model.definitions.TrackKind;
import dev.kymo.model.levels.ZoomLevels;
import dev.kymo.reader.EventBatch;

/**
 * Takes the calls, messages and counters of a recording that is read for the first time, and who
 * ended states.
 */
final class ToLevels extends CallsToSlices {
  private final ZoomLevels levels;
  private final ArrowsAndCounters waits;
  private final RecordedDefinitions definitions;
  private final MethodTable methods;
  private final NanoClock times;

  ToLevels(ZoomLevels levels, ArrowsAndCounters waits, CallPass pass) {
    super(pass);
    this.levels = levels;
    this.waits = waits;
    this.definitions = pass.definitions();
    this.methods = definitions.methods();
    this.times = pass.nanoClock();
  }

  @Override
  public void event(ThreadCalls thread, int event, long clock, EventBatch batch, int word) {
    TracedEvent known = definitions.event(event);
    if (known.isCounter()) {
      double value = known.value(batch, word);
      waits.counters().add(thread.index(), event, times.nanos(clock), value);
    }
    if (known.isLink()) {
      int process = (int) known.number(batch, word, 0);
      int other = (int) known.number(batch, word, 1);
      waits.messages().link(times.nanos(clock), thread.index(), process, other, event);
    }
    if (EventKind.SEND.is(known.kind()) || EventKind.RECEIVE.is(known.kind())) {
      waits.messages().add(known, batch, word, times.nanos(clock), thread.index());
    }
  }

  @Override
  void put(CallCursor call, long begin, long end) {
    int track = call.thread().index();
    levels.add(track, call.depth(), begin, end, word(call), call.children(), childTime(call));
    if (call.hasDetail()) {
      putArrow(call, begin, end);
    }
  }

  private void putArrow(CallCursor state, long begin, long end) {
    TrackKind kind = TrackKind.of(state.thread().definition());
    // The virtual machine works for a thread: nobody lets anybody go on.
    if (state.other() != 0 && kind != TrackKind.JVM && !state.is(Slice.OPEN_END)) {
      ArrowKind arrow = ArrowKind.of(kind, methods.get(state.method()));
      waits.add(arrow, begin, end, state.thread().index(), state.other(), state.method());
    }
  }
}
