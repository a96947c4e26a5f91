package dev.kymo.analysis.filter;

import dev.kymo.analysis.events.CallLocations;
import dev.kymo.format.Definition;
import dev.kymo.format.ThreadRecord;
import dev.kymo.model.calls.CallPass;
import dev.kymo.model.definitions.NanoClock;
import dev.kymo.model.definitions.RecordedDefinitions;
import dev.kymo.model.definitions.TracedEvent;
import dev.kymo.model.definitions.TracedMethod;
import dev.kymo.model.definitions.TracedProcess;
import dev.kymo.model.definitions.TrackKind;
import dev.kymo.reader.EventBatch;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Facts of events as they were recorded, which come in the order of time over all threads. */
public final class RecordedFacts implements EventFacts {
  private static final String[] KINDS = {"enter", "leave", "unwind", "switch", "detail"};

  private final CallPass pass;
  private final RecordedDefinitions definitions;
  private final NanoClock clock;
  private final EventNames names;
  private final CallLocations places;
  private final OpenTimes open = new OpenTimes();
  private final boolean placed;
  private EventBatch batch = new EventBatch();
  private Definition.TracedThread definition = new Definition.TracedThread(0, 0, 0, 0, "");
  private TrackKind track = TrackKind.CALLS;
  private long at;
  private int word;
  private long time = UNKNOWN;

  /**
   * No event yet.
   *
   * @param placed whether places will be asked for, which costs time with every event
   */
  public RecordedFacts(CallPass pass, boolean placed) {
    this.pass = pass;
    this.definitions = pass.definitions();
    this.clock = pass.nanoClock();
    this.names = new EventNames(definitions);
    this.places = new CallLocations(definitions);
    this.placed = placed;
  }

  public void in(EventBatch of, Definition.TracedThread thread) {
    batch = of;
    definition = thread;
    track = TrackKind.of(thread);
  }

  public RecordedFacts at(long clockOfEvent, int wordOfEvent) {
    at = clockOfEvent;
    word = wordOfEvent;
    time = UNKNOWN;
    return this;
  }

  /** Goes on from the event. */
  public void taken() {
    if (EventBatch.id(word) <= ThreadRecord.UNWIND) {
      open.take(batch, at, word);
      if (placed) {
        places.take(batch, word);
      }
    }
  }

  public void lose(int process, int thread) {
    open.lose(process, thread);
    places.lose(process, thread);
  }

  private boolean isOwn() {
    return EventBatch.isEvent(word);
  }

  private boolean isCall() {
    return EventBatch.id(word) <= ThreadRecord.UNWIND;
  }

  private TracedMethod method() {
    int number = isOwn() ? batch.event(word) : EventBatch.payload(word);
    return definitions.methods().get(batch.process(), number);
  }

  private TracedEvent own() {
    return definitions.event(method().id());
  }

  @Override
  public String kind() {
    return isOwn() ? EventNames.kind(own()) : KINDS[EventBatch.id(word)];
  }

  @Override
  public String name() {
    return isOwn() || isCall() ? names.of(method(), track) : KINDS[EventBatch.id(word)];
  }

  @Override
  public String subsystem() {
    return isOwn() || isCall() ? method().type() : "";
  }

  @Override
  public long time() {
    if (time == UNKNOWN) {
      time = at >= pass.base() ? clock.nanos(at) : -clock.duration(pass.base() - at);
    }
    return time;
  }

  @Override
  public long begin() {
    int id = EventBatch.id(word);
    if (id != ThreadRecord.LEAVE && id != ThreadRecord.UNWIND) {
      return UNKNOWN;
    }
    OpenTimes.Calls calls = open.of(batch);
    int place = calls.place(EventBatch.payload(word));
    return place < 0 ? UNKNOWN : time() - clock.duration(at - calls.clock(place));
  }

  @Override
  public int process() {
    return batch.process();
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
    return batch.thread();
  }

  @Override
  public String threadName() {
    return definition.name();
  }

  @Override
  public String track() {
    return EventNames.track(track);
  }

  @Override
  public int core() {
    return EventNames.core(definition);
  }

  @Override
  public int depth() {
    OpenTimes.Calls calls = open.of(batch);
    int id = EventBatch.id(word);
    boolean ends = id == ThreadRecord.LEAVE || id == ThreadRecord.UNWIND;
    return ends ? calls.place(EventBatch.payload(word)) : calls.depth();
  }

  @Override
  public String place() {
    TracedMethod place = placed ? places.of(batch, word) : null;
    return place == null ? "" : names.of(place, TrackKind.CALLS);
  }

  @Override
  public @Nullable Object field(String name) {
    return isOwn() ? EventNames.field(own(), batch, word, name) : null;
  }

  @Override
  public List<String> fields() {
    return isOwn() ? EventNames.fields(own()) : List.of();
  }

  @Override
  public String text() {
    return isOwn() ? own().text(batch, word) : name();
  }
}
