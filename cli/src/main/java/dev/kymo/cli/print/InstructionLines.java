package dev.kymo.cli.print;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.kymo.analysis.names.ThreadFilter;
import dev.kymo.cli.options.FormatOptions;
import dev.kymo.cli.terminal.NumberedLines;
import dev.kymo.cli.terminal.Terminal;
import dev.kymo.instructions.calls.InstructionTrace;
import dev.kymo.instructions.listing.InstructionListing;
import dev.kymo.instructions.listing.ListedInstruction;
import dev.kymo.instructions.listing.ListedRun;
import dev.kymo.model.definitions.MethodTable;
import dev.kymo.model.definitions.RecordedDefinitions;
import dev.kymo.reader.Diagnostics;
import dev.kymo.reader.Recording;
import dev.kymo.session.UsageException;
import dev.kymo.symbols.SourceLines;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;
import java.util.function.BiPredicate;
import java.util.function.Consumer;

/** The listing of executed instructions: {@code kymo print --instructions}. */
final class InstructionLines {
  static final int CLOCK = 12;

  /** Loops in loops that are folded. */
  private static final int NESTED_LOOPS = 4;

  private final Terminal terminal;
  private final FormatOptions format;
  private final Choice choice;

  /**
   * What is listed, and how.
   *
   * @param dataOnly whether only what replays have added at chosen instructions is
   * @param source whether source lines are listed
   * @param fold whether loops are written once
   */
  record Choice(boolean dataOnly, boolean source, boolean fold) {}

  InstructionLines(Terminal terminal, FormatOptions format, Choice choice) {
    this.terminal = terminal;
    this.format = format;
    this.choice = choice;
  }

  /**
   * Writes a range.
   *
   * @param from clock, which counts instructions
   * @param to clock that is not listed any more
   */
  void write(Recording recording, long from, long to, ThreadFilter threads) throws IOException {
    InstructionTrace trace = trace(recording);
    trace.prepare();
    RecordedDefinitions definitions = RecordedDefinitions.read(recording, new Diagnostics());
    MethodTable methods = definitions.methods();
    BiPredicate<Integer, Integer> wanted =
        (process, thread) -> threads.test(definitions.threadOrNameless(process, thread));
    try (SourceLines lines = choice.source ? new SourceLines(recording) : null;
        InstructionListing listing =
            new InstructionListing(
                trace,
                (process, method) -> methods.get(process, method).name(),
                lines == null ? null : lines::of)) {
      if (!choice.dataOnly && !listing.disassembles() && !format.csv() && !format.json()) {
        terminal.warn("instructions are shown as bytes only: libcapstone.so.4 is not installed");
      }
      if (format.json()) {
        json(listing, from, to, wanted);
      } else if (format.csv()) {
        terminal.line(
            "clock,process,thread,kind,address,module,function,code,text,source,memory,registers");
        list(listing, from, to, of(wanted, this::csv));
      } else {
        text(listing, from, to, wanted);
      }
    }
    trace.damages().forEach(terminal::warn);
  }

  private void list(InstructionListing listing, long from, long to, Consumer<ListedRun> sink)
      throws IOException {
    if (choice.dataOnly) {
      listing.listData(from, to, sink);
    } else {
      listing.list(from, to, sink);
    }
  }

  private static Consumer<ListedRun> of(
      BiPredicate<Integer, Integer> threads, Consumer<ListedInstruction> sink) {
    return run -> {
      if (threads.test(run.process(), run.thread())) {
        run.forEach(sink);
      }
    };
  }

  private void text(
      InstructionListing listing, long from, long to, BiPredicate<Integer, Integer> wanted)
      throws IOException {
    NumberedLines lines = terminal.numberedLines(CLOCK);
    InstructionText text = new InstructionText(lines);
    try {
      if (choice.fold) {
        List<LoopFold> folds = LoopFold.levels(NESTED_LOOPS, text::folded);
        LoopFold first = folds.getFirst();
        listing.list(from, to, of(wanted, line -> first.add(new LoopFold.Item(line))));
        folds.forEach(LoopFold::end);
      } else {
        list(listing, from, to, text.of(wanted));
      }
    } finally {
      lines.flush();
    }
  }

  static InstructionTrace trace(Recording recording) {
    InstructionTrace trace = recording.instructions();
    if (trace == null) {
      throw new UsageException(
          "no instructions were recorded here: record them with kymo record --instructions");
    }
    return trace;
  }

  private void csv(ListedInstruction line) {
    terminal.csv(
        line.clock(),
        line.process(),
        line.thread(),
        line.kind().name().toLowerCase(Locale.ROOT),
        "0x" + Long.toHexString(line.address()),
        line.what().module(),
        line.what().function(),
        line.code(),
        line.text(),
        line.what().source(),
        line.memory(),
        line.registers());
  }

  private void json(
      InstructionListing listing, long from, long to, BiPredicate<Integer, Integer> wanted)
      throws IOException {
    try (JsonGenerator json = terminal.json()) {
      json.writeStartArray();
      list(listing, from, to, of(wanted, line -> object(json, line)));
      json.writeEndArray();
    }
    terminal.line("");
  }

  private static void object(JsonGenerator json, ListedInstruction line) {
    try {
      json.writeStartObject();
      json.writeNumberField("clock", line.clock());
      json.writeNumberField("process", line.process());
      json.writeNumberField("thread", line.thread());
      json.writeStringField("kind", line.kind().name().toLowerCase(Locale.ROOT));
      json.writeNumberField("address", line.address());
      json.writeStringField("module", line.what().module());
      json.writeStringField("function", line.what().function());
      json.writeStringField("code", line.code());
      json.writeStringField("text", line.text());
      json.writeStringField("source", line.what().source());
      json.writeStringField("memory", line.memory());
      json.writeStringField("registers", line.registers());
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
