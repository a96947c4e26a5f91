package dev.kymo.cli.print;

import com.fasterxml.jackson.core.io.JsonStringEncoder;

/** An object a line. */
final class JsonFormat implements LineFormat {
  private final JsonStringEncoder encoder = JsonStringEncoder.getInstance();

  @Override
  public void append(PrintedEvent event, long before, StringBuilder to) {
    to.append("{\"time\":").append(event.time());
    to.append(",\"process\":").append(event.process());
    to.append(",\"thread\":").append(event.thread().thread());
    field(to, "threadName", event.thread().name());
    field(to, "event", event.cells().event());
    field(to, "subject", event.cells().subject());
    to.append("}\n");
  }

  private void field(StringBuilder to, String name, String value) {
    to.append(",\"").append(name).append("\":\"");
    encoder.quoteAsString(value, to);
    to.append('"');
  }

  @Override
  public String ending() {
    return ".json";
  }
}
