package dev.kymo.cli.print;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.kymo.analysis.names.ThreadFilter;
import dev.kymo.cli.options.FormatOptions;
import dev.kymo.cli.terminal.Terminal;
import dev.kymo.cli.terminal.UsageException;
import dev.kymo.instructions.InstructionListing;
import dev.kymo.instructions.InstructionTrace;
import dev.kymo.instructions.ListedInstruction;
import dev.kymo.model.definitions.MethodTable;
import dev.kymo.model.definitions.RecordedDefinitions;
import dev.kymo.reader.Diagnostics;
import dev.kymo.reader.Recording;
import dev.kymo.symbols.SourceLines;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;
import java.util.function.BiPredicate;
import java.util.function.Consumer;

/** The listing of executed instructions: {@code kymo print --instructions}. */
final class InstructionLines {
  private static final int CLOCK = 12;
  private static final int PROCESS = 4;
  private static final int THREAD = 3;
  private static final int ADDRESS = 13;
  private static final int BYTES = 22;
  private static final int WORDS = 40;

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
      } else if (choice.fold) {
        folded(listing, from, to, wanted);
      } else {
        list(listing, from, to, of(wanted, this::text));
      }
    }
    trace.damages().forEach(terminal::warn);
  }

  private void list(
      InstructionListing listing, long from, long to, Consumer<ListedInstruction> sink)
      throws IOException {
    if (choice.dataOnly) {
      listing.listData(from, to, sink);
    } else {
      listing.list(from, to, sink);
    }
  }

  private static Consumer<ListedInstruction> of(
      BiPredicate<Integer, Integer> threads, Consumer<ListedInstruction> sink) {
    return line -> {
      if (threads.test(line.process(), line.thread())) {
        sink.accept(line);
      }
    };
  }

  private void folded(
      InstructionListing listing, long from, long to, BiPredicate<Integer, Integer> wanted)
      throws IOException {
    List<LoopFold> folds = LoopFold.levels(NESTED_LOOPS, this::folded);
    LoopFold first = folds.getFirst();
    listing.list(from, to, of(wanted, line -> first.add(new LoopFold.Item(line))));
    folds.forEach(LoopFold::end);
  }

  private void folded(LoopFold.Item item) {
    ListedInstruction line = item.line();
    if (line != null) {
      text(line);
      return;
    }
    StringBuilder text = new StringBuilder(120);
    right(text, "...", CLOCK);
    String lines = item.lines() == 1 ? "the line above" : "the " + item.lines() + " lines above";
    terminal.line(
        text.append(
                "  %s x %d (%d instructions)".formatted(lines, item.times(), item.instructions()))
            .toString());
  }

  /** The instructions of a recording. */
  static InstructionTrace trace(Recording recording) {
    InstructionTrace trace = recording.instructions();
    if (trace == null) {
      throw new UsageException(
          "no instructions were recorded here: record them with kymo record --instructions");
    }
    return trace;
  }

  /** Begins a line with the place of something. */
  static void place(StringBuilder text, long clock, int process, int thread, String address) {
    right(text, Long.toString(clock), CLOCK);
    right(text, Integer.toString(process), PROCESS);
    text.append('/');
    left(text, Integer.toString(thread), THREAD);
    right(text, address, ADDRESS);
    text.append("  ");
  }

  private void text(ListedInstruction line) {
    StringBuilder text = new StringBuilder(120);
    boolean isInstruction = line.kind() == ListedInstruction.Kind.INSTRUCTION;
    String address = isInstruction ? Long.toHexString(line.address()) : "";
    place(text, line.clock(), line.process(), line.thread(), address);
    if (isInstruction) {
      left(text, line.code(), BYTES);
      text.append(' ');
      left(text, line.text(), WORDS);
      text.append(' ').append(line.module());
      text.append(line.function().isEmpty() ? "" : " ").append(line.function());
      text.append(line.source().isEmpty() ? "" : " ");
      text.append(line.source().substring(line.source().lastIndexOf('/') + 1));
      text.append(line.memory().isEmpty() ? "" : "  ").append(line.memory());
      text.append(line.registers().isEmpty() ? "" : "  ").append(line.registers());
    } else {
      text.append(front(line.kind())).append(line.text());
    }
    terminal.line(text.toString());
  }

  private static String front(ListedInstruction.Kind kind) {
    return switch (kind) {
      case SIGNAL -> "signal ";
      case EXCEPTION -> "exception ";
      case INTERRUPT -> "interrupt ";
      case DATA -> "at ";
      default -> "";
    };
  }

  private static void right(StringBuilder text, String word, int width) {
    text.repeat(' ', Math.max(0, width - word.length())).append(word);
  }

  /** Adds a word and the blanks after it. */
  static void left(StringBuilder text, String word, int width) {
    text.append(word).repeat(' ', Math.max(0, width - word.length()));
  }

  private void csv(ListedInstruction line) {
    terminal.csv(
        line.clock(),
        line.process(),
        line.thread(),
        line.kind().name().toLowerCase(Locale.ROOT),
        "0x" + Long.toHexString(line.address()),
        line.module(),
        line.function(),
        line.code(),
        line.text(),
        line.source(),
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
      json.writeStringField("module", line.module());
      json.writeStringField("function", line.function());
      json.writeStringField("code", line.code());
      json.writeStringField("text", line.text());
      json.writeStringField("source", line.source());
      json.writeStringField("memory", line.memory());
      json.writeStringField("registers", line.registers());
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
