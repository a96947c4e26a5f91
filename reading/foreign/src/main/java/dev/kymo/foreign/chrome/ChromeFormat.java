package dev.kymo.foreign.chrome;

import dev.kymo.foreign.chrome.json.TraceReader;
import dev.kymo.foreign.target.ForeignFile;
import dev.kymo.foreign.target.ForeignFormat;
import dev.kymo.foreign.target.Import;
import dev.kymo.foreign.target.Order;
import dev.kymo.foreign.target.Source;
import dev.kymo.foreign.target.Target;
import dev.kymo.format.Clock;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;

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
  public boolean recognises(ForeignFile file) throws IOException {
    String head = head(file).stripLeading();
    if (head.startsWith("\uFEFF")) {
      head = head.substring(1).stripLeading();
    }
    boolean object = head.startsWith("{");
    return (object && EVENTS.matcher(head).find())
        || ((object || head.startsWith("[")) && PHASE.matcher(head).find());
  }

  private static String head(ForeignFile file) {
    if (!file.has(0, "\u001F\u008B")) {
      return file.headText();
    }
    byte[] plain = new byte[64 * 1024];
    int size = 0;
    try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(file.head()))) {
      int got = in.read(plain, 0, plain.length);
      while (got > 0) {
        size += got;
        got = in.read(plain, size, plain.length - size);
      }
    } catch (IOException e) {
      // the head is not all of it: what came out so far counts
    }
    return new String(plain, 0, size, StandardCharsets.UTF_8);
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
