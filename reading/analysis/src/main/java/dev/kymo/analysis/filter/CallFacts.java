package dev.kymo.analysis.filter;

import dev.kymo.model.calls.CallCursor;
import dev.kymo.model.calls.CallPass;
import dev.kymo.model.calls.ThreadCalls;
import dev.kymo.model.definitions.NanoClock;
import dev.kymo.model.definitions.RecordedDefinitions;
import dev.kymo.model.definitions.TracedEvent;
import dev.kymo.model.definitions.TracedMethod;
import dev.kymo.model.definitions.TracedProcess;
import dev.kymo.model.definitions.TrackKind;
import dev.kymo.reader.EventBatch;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Facts of whole calls and states, and of events of programs' own, thread by thread. */
public final class CallFacts implements EventFacts {
  private final RecordedDefinitions definitions;
  private final NanoClock begins;
  private final NanoClock ends;
  private final EventNames names;
  private @Nullable ThreadCalls thread;
  private TrackKind track = TrackKind.CALLS;
  private int method;
  private long beginClock;
  private long endClock;
  private int depth;
  private @Nullable EventBatch batch;
  private int word;

  public CallFacts(CallPass pass) {
    this.definitions = pass.definitions();
    this.begins = pass.nanoClock();
    this.ends = pass.nanoClock();
    this.names = new EventNames(definitions);
  }

  /** Goes to a call or state, which has ended. */
  public CallFacts call(CallCursor call) {
    in(call.thread());
    method = call.method();
    beginClock = call.begin();
    endClock = call.end();
    depth = call.depth();
    batch = null;
    return this;
  }

  /** Goes to an event of a program's own. */
  public CallFacts event(ThreadCalls of, int event, long clock, EventBatch from, int wordOfEvent) {
    in(of);
    method = event;
    endClock = clock;
    depth = -1;
    batch = from;
    word = wordOfEvent;
    return this;
  }

  private void in(ThreadCalls of) {
    if (of != thread) {
      thread = of;
      track = TrackKind.of(of.definition());
    }
  }

  private ThreadCalls owner() {
    if (thread == null) {
      throw new IllegalStateException("no event yet");
    }
    return thread;
  }

  private TracedMethod method() {
    return definitions.methods().get(method);
  }

  private TracedEvent own() {
    return definitions.event(method);
  }

  @Override
  public String kind() {
    if (batch != null) {
      return EventNames.kind(own());
    }
    return track == TrackKind.CALLS ? "call" : "state";
  }

  @Override
  public String name() {
    return names.of(method(), track);
  }

  @Override
  public String subsystem() {
    return method().type();
  }

  @Override
  public long time() {
    return ends.nanos(endClock);
  }

  @Override
  public long begin() {
    return batch == null ? begins.nanos(beginClock) : UNKNOWN;
  }

  @Override
  public int process() {
    return owner().process();
  }

  @Override
  public int pid() {
    return definitions.process(process()).map(TracedProcess::pid).orElse(-1);
  }

  @Override
  public String command() {
    return definitions.process(process()).map(TracedProcess::command).orElse("");
  }

  @Override
  public int thread() {
    return owner().thread();
  }

  @Override
  public String threadName() {
    return owner().definition().name();
  }

  @Override
  public String track() {
    return EventNames.track(track);
  }

  @Override
  public int core() {
    return EventNames.core(owner().definition());
  }

  @Override
  public int depth() {
    return depth;
  }

  @Override
  public String place() {
    return batch == null && track == TrackKind.CALLS ? name() : "";
  }

  @Override
  public @Nullable Object field(String name) {
    return batch == null ? null : EventNames.field(own(), batch, word, name);
  }

  @Override
  public List<String> fields() {
    return batch != null ? EventNames.fields(own()) : List.of();
  }

  @Override
  public String text() {
    return batch == null ? name() : own().text(batch, word);
  }
}
