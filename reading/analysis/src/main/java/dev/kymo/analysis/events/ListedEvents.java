package dev.kymo.analysis.events;

import dev.kymo.analysis.selection.Progress;
import dev.kymo.format.EventKind;
import dev.kymo.format.KernelEventFormat;
import dev.kymo.format.SchedulerState;
import dev.kymo.model.arrows.ArrowKind;
import dev.kymo.model.arrows.Arrows;
import dev.kymo.model.definitions.TracedEvent;
import dev.kymo.model.definitions.TrackKind;
import dev.kymo.model.timeline.Gap;
import dev.kymo.model.timeline.KernelEvents;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.model.timeline.Track;
import dev.kymo.reader.KernelStream;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads everything of a track that a list is to have: calls, states, user events and losses. */
final class ListedEvents {
  private final Timeline timeline;
  private final EventChoice choice;
  private final Progress progress;
  private final KernelEvents kernel;

  /** Names of the kernel's events; empty for those not asked for. */
  private final IdentityHashMap<KernelEventFormat, String> names = new IdentityHashMap<>();

  /** Numbers of user events that begin something: their calls are user events too. */
  private final BitSet spans = new BitSet();

  /** Whether any call, or any user event, has a name that was asked for. */
  private final boolean calls;

  private final boolean own;

  ListedEvents(Timeline timeline, EventChoice choice, Progress progress) {
    this.timeline = timeline;
    this.choice = choice;
    this.progress = progress;
    this.kernel = timeline.kernelEvents();
    for (TracedEvent event : timeline.events()) {
      if (EventKind.BEGIN.is(event.kind())) {
        spans.set(event.number());
      }
    }
    BitSet methods = choice.methods();
    calls = methods == null || !NamedEvents.calls(timeline, methods).isEmpty();
    own = methods == null || !methods.isEmpty();
  }

  /** Whether a track can have any. */
  boolean mayHave(Track track) {
    return hasCalls(track)
        || hasOwn(track)
        || hasKernel(track)
        || (losses() && !timeline.gaps(track.id(), 0, Long.MAX_VALUE / 2).isEmpty());
  }

  private boolean hasCalls(Track track) {
    boolean span = !spans.isEmpty() && choice.has(EventGroup.OWN);
    boolean state =
        switch (track.kind()) {
          case CALLS -> choice.has(EventGroup.CALLS);
          case STATES -> choice.hasAny(EventGroup.WAITS, EventGroup.WAKES);
          case SCHEDULED -> choice.hasAny(EventGroup.SCHEDULED, EventGroup.WAKES);
          case JVM -> choice.has(EventGroup.JVM);
          case CPU -> choice.has(EventGroup.CPU);
        };
    return calls && track.calls() > 0 && (state || span);
  }

  private boolean hasOwn(Track track) {
    return own
        && track.own() > 0
        && choice.hasAny(EventGroup.OWN, EventGroup.COUNTERS, EventGroup.MESSAGES);
  }

  private boolean hasKernel(Track track) {
    return choice.has(EventGroup.KERNEL) && kernel.has(track);
  }

  /** A track with the time in which it can have any. */
  Track reaching(Track track) {
    return hasKernel(track) ? kernel.reaching(track) : track;
  }

  /** A loss has no name. */
  private boolean losses() {
    return choice.methods() == null && choice.has(EventGroup.LOST);
  }

  /** Whether it has events for begin and end; otherwise it is a state. */
  boolean isCall(Track track, int method) {
    return track.kind() == TrackKind.CALLS || spans.get(method);
  }

  /** Whether the begin of a call or state is wanted. */
  boolean begin(Track track, int method, int other) {
    // A hand-off takes no time: who gave the processor away is reported once.
    boolean told = other >= 0 && choice.has(EventGroup.WAKES) && isHandOff(track, method);
    return !told && choice.has(groupOf(track, method), method);
  }

  private boolean isHandOff(Track track, int method) {
    return track.kind() == TrackKind.SCHEDULED && timeline.method(method).is(SchedulerState.HANDED);
  }

  private EventGroup groupOf(Track track, int method) {
    if (spans.get(method)) {
      return EventGroup.OWN;
    }
    return switch (track.kind()) {
      case CALLS -> EventGroup.CALLS;
      case STATES -> EventGroup.WAITS;
      case SCHEDULED -> EventGroup.SCHEDULED;
      case JVM -> EventGroup.JVM;
      case CPU -> EventGroup.CPU;
    };
  }

  /** Whether the end of a call, or who ended a state, is wanted. */
  boolean end(Track track, int method, int other) {
    if (isCall(track, method)) {
      return choice.has(groupOf(track, method), method);
    }
    return other >= 0
        && track.kind() != TrackKind.JVM // it names the thread that the virtual machine worked for
        && choice.has(EventGroup.WAKES, method)
        && !(track.kind() == TrackKind.SCHEDULED
            && timeline.method(method).is(SchedulerState.RUNNABLE));
  }

  /**
   * Those of a track between two times (ends included); those of equal time in the order in which
   * they happened, as far as that is known.
   *
   * @throws TrackEvents.TooManyException if there are more than {@code max}
   */
  List<RecordedEvent> of(Track track, long from, long to, int max) {
    List<RecordedEvent> found = new ArrayList<>();
    if (hasCalls(track)) {
      TrackEvents events = new TrackEvents(track, this, from, to, max);
      timeline.calls(track.id(), from, to, events);
      found.addAll(events.inOrder());
    }
    if (hasOwn(track)) {
      addOwn(track, from, to, max, found);
    }
    if (hasKernel(track)) {
      addKernel(track, from, to, max, found);
    }
    if (losses()) {
      addLosses(track, from, to, found);
    }
    if (found.size() > max) {
      throw new TrackEvents.TooManyException();
    }
    return found;
  }

  private void addOwn(Track track, long from, long to, int max, List<RecordedEvent> found) {
    timeline.events(
        track.id(),
        from,
        to,
        (time, event, batch, word) -> {
          progress.check();
          int kind = kindOf(event);
          int number = event.number();
          if (choice.has(groupOf(kind), number)) {
            if (found.size() == max) {
              throw new TrackEvents.TooManyException();
            }
            String text = event.text(batch, word);
            found.add(
                RecordedEvent.of(time, track.id(), NearestEvent.DEPTH, number, kind, 0, text));
          }
        });
  }

  private static int kindOf(TracedEvent event) {
    return switch (EventKind.of(event.kind())) {
      case COUNTER -> RecordedEvent.COUNTER;
      case SEND -> RecordedEvent.SENT;
      case RECEIVE -> RecordedEvent.RECEIVED;
      default -> RecordedEvent.EVENT;
    };
  }

  private static EventGroup groupOf(int kind) {
    return switch (kind) {
      case RecordedEvent.COUNTER -> EventGroup.COUNTERS;
      case RecordedEvent.SENT, RecordedEvent.RECEIVED -> EventGroup.MESSAGES;
      default -> EventGroup.OWN;
    };
  }

  private void addKernel(Track track, long from, long to, int max, List<RecordedEvent> found) {
    kernel.between(
        track,
        from,
        to,
        (time, event) -> {
          progress.check();
          String name = names.computeIfAbsent(event.format(), this::wantedName);
          if (!name.isEmpty()) {
            if (found.size() == max) {
              throw new TrackEvents.TooManyException();
            }
            found.add(RecordedEvent.ofKernel(time, track.id(), name, text(event)));
          }
        });
  }

  private String wantedName(KernelEventFormat format) {
    String name = format.subsystem() + '.' + format.name();
    return choice.names() == null || choice.names().test(name) ? name : "";
  }

  private static String text(KernelStream event) {
    String fields = event.text();
    return "tid=" + event.tid() + (fields.isEmpty() ? "" : " " + fields);
  }

  private void addLosses(Track track, long from, long to, List<RecordedEvent> found) {
    for (Gap gap : timeline.gaps(track.id(), from, to)) {
      // An interval may reach beyond the first and the last event.
      long time = Math.clamp(gap.from(), track.begin(), track.end());
      if (time >= from && time <= to) {
        String text = gap.lost() > 0 ? Long.toString(gap.lost()) : "";
        found.add(
            RecordedEvent.of(
                time, track.id(), 0, -1, RecordedEvent.LOST, gap.to() - gap.from(), text));
      }
    }
  }

  /** Adds what is known from elsewhere: who ended a state, and the other ends of messages. */
  void complete(List<RecordedEvent> events) {
    events.replaceAll(event -> event.other() == TrackEvents.UNREAD ? completed(event) : event);
    pairMessages(events);
  }

  private RecordedEvent completed(RecordedEvent state) {
    progress.check();
    long within = state.time() + state.duration() / 2;
    return timeline
        .call(state.track(), state.depth(), within)
        .map(detail -> state.with(detail.other(), detail.object()))
        .orElseGet(() -> state.with(-1, 0));
  }

  /** Says of the messages among some events who sent or received them, and how long they took. */
  private void pairMessages(List<RecordedEvent> events) {
    if (events.stream().noneMatch(ListedEvents::isMessage)) {
      return;
    }
    long from = events.getFirst().time();
    long to = events.getLast().time();
    Map<End, Optional<Arrows.Arrow>> ends = new HashMap<>();
    for (Arrows.Arrow arrow :
        timeline.arrows(ArrowKind.MESSAGE, from, to, Integer.MAX_VALUE).arrows()) {
      End sent = new End(arrow.fromTrack(), arrow.time() - arrow.waited(), arrow.method());
      End received = new End(arrow.toTrack(), arrow.time(), -1);
      // Two of the same time cannot be distinguished.
      ends.merge(sent, Optional.of(arrow), (one, two) -> Optional.empty());
      ends.merge(received, Optional.of(arrow), (one, two) -> Optional.empty());
    }
    events.replaceAll(event -> isMessage(event) ? paired(event, ends) : event);
  }

  /** Where a message was sent or received; of the latter it is not known by which kind of event. */
  private record End(int track, long time, int sentBy) {}

  private static boolean isMessage(RecordedEvent event) {
    return event.kind() == RecordedEvent.SENT || event.kind() == RecordedEvent.RECEIVED;
  }

  private static RecordedEvent paired(RecordedEvent event, Map<End, Optional<Arrows.Arrow>> ends) {
    boolean sent = event.kind() == RecordedEvent.SENT;
    End end = new End(event.track(), event.time(), sent ? event.method() : -1);
    return ends.getOrDefault(end, Optional.empty())
        .map(arrow -> event.message(sent ? arrow.toTrack() : arrow.fromTrack(), arrow.waited()))
        .orElse(event);
  }
}
