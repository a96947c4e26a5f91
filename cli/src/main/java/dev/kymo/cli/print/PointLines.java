package dev.kymo.cli.print;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.kymo.analysis.names.ThreadFilter;
import dev.kymo.cli.options.FormatOptions;
import dev.kymo.cli.terminal.Terminal;
import dev.kymo.instructions.calls.InstructionTrace;
import dev.kymo.instructions.calls.PointKind;
import dev.kymo.instructions.listing.IrregularPoint;
import dev.kymo.instructions.listing.PointListing;
import dev.kymo.model.definitions.RecordedDefinitions;
import dev.kymo.reader.Diagnostics;
import dev.kymo.reader.Recording;
import dev.kymo.session.UsageException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.EnumSet;
import java.util.Set;

/** The irregular points of executed instructions: {@code kymo print --points}. */
final class PointLines {
  private static final int KIND = 26;
  private static final int PLACE = 40;

  private final Terminal terminal;
  private final FormatOptions format;

  PointLines(Terminal terminal, FormatOptions format) {
    this.terminal = terminal;
    this.format = format;
  }

  /**
   * Writes the points of a range.
   *
   * @param from clock, which counts instructions
   * @param to clock that is not listed any more
   * @param critical names of functions in which interrupts are points
   */
  void write(Recording recording, long from, long to, ThreadFilter threads, Set<String> critical)
      throws IOException {
    InstructionTrace trace = InstructionLines.trace(recording);
    RecordedDefinitions definitions = RecordedDefinitions.read(recording, new Diagnostics());
    PointListing listing;
    try {
      listing =
          new PointListing(
              trace,
              (process, method) -> definitions.methods().get(process, method).name(),
              critical);
    } catch (IllegalArgumentException e) {
      throw new UsageException(String.valueOf(e.getMessage()));
    }
    Set<PointKind> kinds = EnumSet.allOf(PointKind.class);
    PointListing.Selection selection =
        new PointListing.Selection(
            from,
            to,
            kinds,
            (process, thread) -> threads.test(definitions.threadOrNameless(process, thread)));
    if (format.json()) {
      json(listing, selection);
    } else {
      if (format.csv()) {
        terminal.line("clock,process,thread,kind,address,module,function,text");
      }
      listing.list(selection, format.csv() ? this::csv : this::text);
    }
    for (PointKind kind : kinds) {
      if (listing.unlisted(kind) > 0) {
        terminal.warn(
            "more points are only counted: kind=%s points=%d"
                .formatted(kind.word(), listing.unlisted(kind)));
      }
    }
    trace.damages().forEach(terminal::warn);
  }

  private void text(IrregularPoint point) {
    StringBuilder text = new StringBuilder(120);
    String address = Long.toHexString(point.address());
    InstructionText.place(text, point.clock(), point.process(), point.thread(), address);
    InstructionText.left(text, point.kind().word(), KIND);
    String place = (point.module() + " " + point.function()).trim();
    InstructionText.left(text.append(' '), place, PLACE);
    terminal.line(text.append(' ').append(point.text()).toString());
  }

  private void csv(IrregularPoint point) {
    terminal.csv(
        point.clock(),
        point.process(),
        point.thread(),
        point.kind().word(),
        "0x" + Long.toHexString(point.address()),
        point.module(),
        point.function(),
        point.text());
  }

  private void json(PointListing listing, PointListing.Selection selection) throws IOException {
    try (JsonGenerator json = terminal.json()) {
      json.writeStartArray();
      listing.list(selection, point -> object(json, point));
      json.writeEndArray();
    }
    terminal.line("");
  }

  private static void object(JsonGenerator json, IrregularPoint point) {
    try {
      json.writeStartObject();
      json.writeNumberField("clock", point.clock());
      json.writeNumberField("process", point.process());
      json.writeNumberField("thread", point.thread());
      json.writeStringField("kind", point.kind().word());
      json.writeNumberField("address", point.address());
      json.writeStringField("module", point.module());
      json.writeStringField("function", point.function());
      json.writeStringField("text", point.text());
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
