package dev.kymo.server.query;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.kymo.query.ask.Questions;
import dev.kymo.query.library.Library;
import dev.kymo.query.library.Parameter;
import dev.kymo.query.library.ReadyQuestion;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What helps to write a question: the ready ones, the tables and the functions. */
final class QueryHelp {
  private QueryHelp() {}

  static void write(JsonGenerator json, Map<String, List<Questions.ColumnText>> tables)
      throws IOException {
    json.writeStartObject();
    json.writeArrayFieldStart("questions");
    for (ReadyQuestion question : Library.all()) {
      json.writeStartObject();
      json.writeStringField("name", question.name());
      json.writeStringField("description", question.description());
      json.writeStringField("sql", question.sql(Map.of()).strip());
      json.writeArrayFieldStart("parameters");
      for (Parameter parameter : question.parameters()) {
        json.writeStartObject();
        json.writeStringField("name", parameter.name());
        json.writeStringField("kind", parameter.kind().name().toLowerCase(Locale.ROOT));
        json.writeStringField("initial", parameter.initial());
        json.writeStringField("meaning", parameter.meaning());
        json.writeEndObject();
      }
      json.writeEndArray();
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeObjectFieldStart("tables");
    for (Map.Entry<String, List<Questions.ColumnText>> table : tables.entrySet()) {
      json.writeArrayFieldStart(table.getKey());
      for (Questions.ColumnText column : table.getValue()) {
        json.writeString(column.name());
      }
      json.writeEndArray();
    }
    json.writeEndObject();
    json.writeArrayFieldStart("functions");
    for (Questions.FunctionText function : Questions.functions()) {
      json.writeStartObject();
      json.writeStringField("call", function.call());
      json.writeStringField("meaning", function.meaning());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeEndObject();
  }
}
