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
  private final List<Timeline> timelines;
  private final List<String> names;

  RecordingsHandler(List<Timeline> timelines, List<String> names, Jobs jobs) {
    super(jobs);
    this.timelines = timelines;
    this.names = names;
  }

  @Override
  long duration() {
    return timelines.stream().mapToLong(Timeline::duration).sum();
  }

  @Override
  void answer(HttpExchange exchange, String name, Query query)
      throws IOException, InterruptedException {
    switch (name) {
      case "recordings" -> Answers.json(exchange, 200, this::recordings);
      case "differences" -> {
        int base = number(query, "base");
        int fresh = number(query, "new");
        work(
            exchange,
            DifferencesAnswer.of(
                timelines.get(base),
                timelines.get(fresh),
                List.of(names.get(base), names.get(fresh))));
      }
      case "match" ->
          work(
              exchange,
              Jobs.Kind.SEARCH,
              MatchAnswer.of(
                  timelines.get(number(query, "from")), timelines.get(number(query, "to")), query));
      case "partners" -> {
        Timeline base = timelines.get(number(query, "base"));
        Timeline fresh = timelines.get(number(query, "new"));
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

  /** The place of a recording that is named as its path is: 1 is the first. */
  private int number(Query query, String name) {
    return (int) query.number(name, 1, timelines.size()) - 1;
  }

  private static void partners(JsonGenerator json, Timeline of, Timeline in) throws IOException {
    int[] partners = TrackPartners.of(of, in);
    json.writeArray(partners, 0, partners.length);
  }

  private void recordings(JsonGenerator json) throws IOException {
    json.writeStartObject();
    json.writeArrayFieldStart("recordings");
    for (String name : names) {
      json.writeString(name);
    }
    json.writeEndArray();
    json.writeEndObject();
  }
}
