package dev.kymo.reader;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.format.Definition;
import dev.kymo.format.ThreadRecord;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Everything that a reader delivers, for comparison. */
final class Heard implements FollowSink {
  /** What there is of each thread, in its order. */
  final Map<String, List<Event>> events = new TreeMap<>();

  final Map<String, List<String>> gaps = new TreeMap<>();

  /** Everything of all threads. */
  final List<String> inOrder = new ArrayList<>();

  /** Places where a segment begins. */
  final Set<String> starts = new HashSet<>();

  /** Events whose method or thread was not defined when they came. */
  final List<Event> undefined = new ArrayList<>();

  private final Recording recording;
  private final Set<String> defined = new HashSet<>();

  record Event(
      long clock, int word, String stream, int process, long packetOffset, long packetFloor) {}

  Heard(Recording recording) {
    this.recording = recording;
  }

  @Override
  public void definition(int process, long clock, Definition definition) {
    switch (definition) {
      case Definition.Method method -> defined.add(process + " method " + method.method());
      case Definition.TracedThread thread -> defined.add(process + " thread " + thread.thread());
      default -> {}
    }
  }

  @Override
  public void events(EventBatch batch) {
    String stream = recording.threadStreams().get(batch.stream()).name();
    String thread = batch.process() + "." + batch.thread();
    if (batch.start()) {
      starts.add(stream + "@" + batch.offset());
    }
    for (int i = 0; i < batch.count(); i++) {
      int word = batch.words()[i];
      Event event =
          new Event(
              batch.clocks()[i],
              word,
              stream,
              batch.process(),
              batch.packetOffset(),
              batch.packetFloor());
      events.computeIfAbsent(thread, t -> new ArrayList<>()).add(event);
      inOrder.add(thread + ' ' + event);
      if (!isDefined(batch, word)) {
        undefined.add(event);
      }
    }
  }

  private boolean isDefined(EventBatch batch, int word) {
    return defined.contains(batch.process() + " thread " + batch.thread())
        && (EventBatch.id(word) == ThreadRecord.SWITCH
            || defined.contains(batch.process() + " method " + EventBatch.payload(word)));
  }

  @Override
  public void gap(int process, int thread, long from, long to, long lost) {
    String gap = from + "-" + to + ": " + lost;
    gaps.computeIfAbsent(process + "." + thread, t -> new ArrayList<>()).add(gap);
    inOrder.add(process + "." + thread + ' ' + gap);
  }

  /** Calls' events up to a clock. */
  long countUpTo(long clock) {
    return events.values().stream()
        .flatMap(List::stream)
        .filter(e -> e.clock() <= clock && EventBatch.id(e.word()) != ThreadRecord.SWITCH)
        .count();
  }

  /** Each event is found again in the packet that it was said to be in. */
  void assertPartsCanBeReadAgain() {
    List<String> names = recording.threadStreams().stream().map(StreamSource::name).toList();
    Map<String, Set<Event>> parts = new TreeMap<>();
    for (List<Event> thread : events.values()) {
      for (Event e : thread) {
        String place = e.stream() + "@" + e.packetOffset();
        assertThat(parts.computeIfAbsent(place, p -> packet(names.indexOf(e.stream()), e)))
            .contains(e);
      }
    }
  }

  private Set<Event> packet(int stream, Event event) {
    Heard part = new Heard(recording);
    EventBatch batch = new EventBatch();
    ThreadStream from =
        recording.threads(stream, event.packetOffset(), event.process(), event.packetFloor());
    do {
      from.deliver(batch, part);
    } while (from.hasNext() && batch.packetOffset() == event.packetOffset());
    Set<Event> all = new HashSet<>();
    part.events.values().forEach(all::addAll);
    return all;
  }
}
