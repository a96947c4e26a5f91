package dev.kymo.server;

import com.fasterxml.jackson.core.JsonGenerator;
import com.sun.net.httpserver.HttpExchange;
import dev.kymo.analysis.difference.match.TrackPartners;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.server.difference.DifferencesAnswer;
import dev.kymo.server.difference.MatchAnswer;
import dev.kymo.server.http.Answers;
import dev.kymo.server.http.Jobs;
import dev.kymo.server.http.Query;
import java.io.IOException;
import java.util.List;

/** Answers questions about recordings that are served together. */
final class RecordingsHandler extends QuestionHandler {
  private final List<ServedRecording> recordings;

  RecordingsHandler(List<ServedRecording> recordings, Jobs jobs) {
    super(jobs);
    this.recordings = recordings;
  }

  @Override
  long duration() {
    return recordings.stream().mapToLong(each -> each.timeline().duration()).sum();
  }

  @Override
  int edition() {
    return recordings.stream().mapToInt(ServedRecording::edition).sum();
  }

  @Override
  void answer(HttpExchange exchange, String name, Query query)
      throws IOException, InterruptedException {
    switch (name) {
      case "recordings" -> Answers.json(exchange, 200, this::write);
      case "differences" -> {
        ServedRecording base = recording(query, "base");
        ServedRecording fresh = recording(query, "new");
        work(
            exchange,
            DifferencesAnswer.of(
                base.timeline(), fresh.timeline(), List.of(base.name(), fresh.name())));
      }
      case "match" ->
          work(
              exchange,
              Jobs.Kind.SEARCH,
              MatchAnswer.of(
                  recording(query, "from").timeline(), recording(query, "to").timeline(), query));
      case "partners" -> {
        Timeline base = recording(query, "base").timeline();
        Timeline fresh = recording(query, "new").timeline();
        Answers.json(
            exchange,
            200,
            json -> {
              json.writeStartObject();
              json.writeFieldName("base");
              partners(json, base, fresh);
              json.writeFieldName("new");
              partners(json, fresh, base);
              json.writeEndObject();
            });
      }
      default -> unknown(exchange);
    }
  }

  /** The recording that is named as its path is: 1 is the first. */
  private ServedRecording recording(Query query, String name) {
    return recordings.get((int) query.number(name, 1, recordings.size()) - 1);
  }

  private static void partners(JsonGenerator json, Timeline of, Timeline in) throws IOException {
    int[] partners = TrackPartners.of(of, in);
    json.writeArray(partners, 0, partners.length);
  }

  private void write(JsonGenerator json) throws IOException {
    json.writeStartObject();
    json.writeArrayFieldStart("recordings");
    for (ServedRecording recording : recordings) {
      json.writeString(recording.name());
    }
    json.writeEndArray();
    json.writeEndObject();
  }
}
