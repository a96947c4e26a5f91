package dev.kymo.importers.chrome;

import dev.kymo.format.Clock;
import dev.kymo.importers.chrome.json.TraceReader;
import dev.kymo.importers.target.ForeignFile;
import dev.kymo.importers.target.ForeignFormat;
import dev.kymo.importers.target.Import;
import dev.kymo.importers.target.Order;
import dev.kymo.importers.target.Source;
import dev.kymo.importers.target.Target;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;

/** The JSON of Chrome's tracing, which many programs write; plain or packed by gzip. */
public final class ChromeFormat implements ForeignFormat {
  private static final long PER_SECOND = 1_000_000_000;
  private static final Pattern EVENTS = Pattern.compile("\"traceEvents\"\\s{0,99}:\\s{0,99}\\[");
  private static final Pattern PHASE = Pattern.compile("\"ph\"\\s{0,99}:\\s{0,99}\"");

  @Override
  public String name() {
    return "chrome";
  }

  @Override
  public String title() {
    return "Chrome's trace events (JSON)";
  }

  @Override
  public boolean recognises(ForeignFile file) {
    String head = file.unpackedHeadText().stripLeading();
    if (head.startsWith("\uFEFF")) {
      head = head.substring(1).stripLeading();
    }
    boolean object = head.startsWith("{");
    return (object && EVENTS.matcher(head).find())
        || ((object || head.startsWith("[")) && PHASE.matcher(head).find());
  }

  @Override
  public void convert(ForeignFile file, Import to) throws IOException {
    Path path = file.path();
    long all = Files.size(path) * 2; // it is read twice
    Survey survey = new Survey();
    TraceReader.read(path, done -> to.progress().at(done, all), survey);
    long shift = Math.max(0, -survey.first());
    try (Target target =
        to.begin(
            new Clock(Clock.MONOTONIC, PER_SECOND, 0),
            survey.first() + shift,
            Source.unknown(title(), file.name()),
            Order.ANY)) {
      if (shift > 0) {
        target.notice("times below 0 were moved: nanoseconds=" + shift);
      }
      TraceReader.read(
          path,
          done -> to.progress().at(all / 2 + done, all),
          new Conversion(target, survey, shift));
    }
  }
}
