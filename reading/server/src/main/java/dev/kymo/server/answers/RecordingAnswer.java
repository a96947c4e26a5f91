package dev.kymo.server.answers;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.kymo.analysis.events.DrawnUserEvents;
import dev.kymo.format.EventFields;
import dev.kymo.format.EventKind;
import dev.kymo.model.arrows.CounterRange;
import dev.kymo.model.definitions.TracedEvent;
import dev.kymo.model.definitions.TracedProcess;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.model.timeline.Track;
import dev.kymo.server.http.Answers;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** {@code /api/recording}: what the recording contains, asked once. */
public final class RecordingAnswer {
  private RecordingAnswer() {}

  /**
   * The answer.
   *
   * @param edition which one it is, if others may take its place
   */
  public static Answers.Body of(Timeline timeline, String name, @Nullable Edition edition) {
    return json -> {
      json.writeStartObject();
      json.writeStringField("name", name);
      Edition.write(json, edition);
      write(json, timeline);
      json.writeEndObject();
    };
  }

  private static void write(JsonGenerator json, Timeline timeline) throws IOException {
    json.writeBooleanField("growing", timeline.growing());
    json.writeBooleanField("onDisk", timeline.directory().isPresent());
    if (timeline.read() < 1) {
      json.writeNumberField("read", timeline.read());
      json.writeBooleanField("importing", timeline.importing());
    }
    Answers.time(json, "duration", timeline.duration());
    Answers.time(json, "wallBegin", timeline.wallBegin());
    json.writeNumberField("methods", timeline.methods());
    json.writeArrayFieldStart("processes");
    for (TracedProcess process : timeline.processes()) {
      write(json, process, RecorderFacts.of(timeline, process.process()));
    }
    json.writeEndArray();
    json.writeArrayFieldStart("tracks");
    Map<Integer, List<CounterRange>> counters =
        timeline.counters().stream().collect(Collectors.groupingBy(CounterRange::track));
    Set<Integer> percents = percents(timeline);
    for (Track track : timeline.tracks()) {
      write(json, track, counters.getOrDefault(track.id(), List.of()), percents);
    }
    json.writeEndArray();
    json.writeBooleanField("messages", messages(timeline));
    SamplesAnswer.writeKinds(json, timeline);
    json.writeBooleanField("kernelEvents", timeline.kernelEvents().any());
    json.writeBooleanField("instructions", timeline.points().any());
    Families.write(json, timeline);
    json.writeArrayFieldStart("oddities");
    for (String oddity : timeline.oddities()) {
      json.writeString(oddity);
    }
    json.writeEndArray();
  }

  private static void write(
      JsonGenerator json, TracedProcess process, Optional<RecorderFacts> recorder)
      throws IOException {
    json.writeStartObject();
    json.writeNumberField("process", process.process());
    json.writeNumberField("pid", process.pid());
    json.writeNumberField("parentPid", process.parentPid());
    json.writeStringField("command", process.command());
    json.writeStringField("jvm", process.jvm());
    json.writeStringField("end", process.end());
    json.writeNumberField("lost", process.lost());
    json.writeNumberField("clockError", process.clockError());
    RecorderFacts.write(json, recorder);
    json.writeEndObject();
  }

  /** Whether the program may have sent any, or events lead to other threads like these. */
  private static boolean messages(Timeline timeline) {
    return timeline.events().stream().anyMatch(e -> EventKind.SEND.is(e.kind()) || e.isLink());
  }

  private static void write(
      JsonGenerator json, Track track, List<CounterRange> counters, Set<Integer> percents)
      throws IOException {
    json.writeStartObject();
    json.writeNumberField("id", track.id());
    json.writeNumberField("process", track.process());
    json.writeNumberField("thread", track.thread());
    json.writeStringField("kind", track.kind().name().toLowerCase(Locale.ROOT));
    json.writeNumberField("of", track.of());
    json.writeNumberField("counted", track.counted());
    json.writeStringField("name", track.name());
    json.writeBooleanField("virtual", track.virtual());
    json.writeNumberField("tid", track.tid());
    json.writeNumberField("javaId", track.javaId());
    Answers.time(json, "begin", track.begin());
    Answers.time(json, "end", track.end());
    json.writeNumberField("calls", track.calls());
    json.writeNumberField("events", track.events());
    json.writeNumberField("lost", track.lost());
    json.writeNumberField("depth", track.depth());
    if (track.own() > 0) {
      writeOwn(json, track, counters, percents);
    }
    json.writeEndObject();
  }

  /** Counters of percents, which are drawn from 0 to 100. */
  private static Set<Integer> percents(Timeline timeline) {
    return timeline.events().stream()
        .filter(e -> e.isCounter() && isPercent(e.fields().list()))
        .map(TracedEvent::number)
        .collect(Collectors.toSet());
  }

  private static boolean isPercent(List<EventFields.Field> fields) {
    return !fields.isEmpty() && fields.get(0).name().equals("percent");
  }

  /** The events of the program's own: how many there are to be marked, and the counters. */
  private static void writeOwn(
      JsonGenerator json, Track track, List<CounterRange> counters, Set<Integer> percents)
      throws IOException {
    long values = counters.stream().mapToLong(CounterRange::count).sum();
    json.writeNumberField("instants", Math.max(0, track.own() - values));
    json.writeNumberField("countersInAll", counters.size());
    json.writeArrayFieldStart("counters");
    for (CounterRange counter :
        counters.subList(0, Math.min(DrawnUserEvents.MAX_COUNTERS, counters.size()))) {
      json.writeStartObject();
      json.writeNumberField("event", counter.event());
      json.writeNumberField("count", counter.count());
      boolean percent = percents.contains(counter.event());
      json.writeFieldName("min");
      UserEventsAnswer.value(json, percent ? Math.min(0, counter.min()) : counter.min());
      json.writeFieldName("max");
      UserEventsAnswer.value(json, percent ? Math.max(100, counter.max()) : counter.max());
      json.writeEndObject();
    }
    json.writeEndArray();
  }
}
