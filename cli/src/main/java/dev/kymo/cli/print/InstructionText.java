package dev.kymo.cli.print;

import dev.kymo.cli.terminal.NumberedLines;
import dev.kymo.cli.terminal.NumberedLines.Part;
import dev.kymo.instructions.listing.ListedCode;
import dev.kymo.instructions.listing.ListedInstruction;
import dev.kymo.instructions.listing.ListedRun;
import dev.kymo.model.definitions.RecordedDefinitions;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The listing of executed instructions as text. What a block's lines say is made once. */
final class InstructionText {
  private static final int PROCESS = 4;
  private static final int THREAD = 3;
  private static final int ADDRESS = 13;
  private static final int BYTES = 22;
  private static final int WORDS = 40;

  private final NumberedLines lines;
  private final IdentityHashMap<Object, @Nullable Part[]> blocks = new IdentityHashMap<>();
  private final Map<Long, Runner> runners = new HashMap<>();
  private @Nullable Runner last;

  /**
   * A thread.
   *
   * @param isWanted whether its lines are written
   */
  private record Runner(int process, int thread, boolean isWanted, Part text) {}

  InstructionText(NumberedLines lines) {
    this.lines = lines;
  }

  /** Writes the lines of some threads. */
  Consumer<ListedRun> of(BiPredicate<Integer, Integer> threads) {
    return run -> {
      Runner by = runner(run.process(), run.thread(), threads);
      if (!by.isWanted) {
        return;
      }
      if (run.isInstructions() && !run.hasDetails()) {
        write(run, by);
      } else {
        run.forEach(line -> lines.line(line.clock(), by.text, new Part(rest(line))));
      }
    };
  }

  private void write(ListedRun run, Runner by) {
    @Nullable Part[] parts =
        blocks.computeIfAbsent(run.block(), block -> new Part[run.blockSize()]);
    int first = run.first();
    int size = run.size();
    for (int i = 0; i < size; i++) {
      Part rest = parts[first + i];
      if (rest == null) {
        rest = new Part(instruction(run.code(i)).toString());
        parts[first + i] = rest;
      }
      lines.line(run.clock() + i, by.text, rest);
    }
  }

  private Runner runner(int process, int thread, BiPredicate<Integer, Integer> threads) {
    Runner runner = last;
    if (runner == null || runner.process != process || runner.thread != thread) {
      runner =
          runners.computeIfAbsent(
              RecordedDefinitions.key(process, thread),
              key ->
                  new Runner(
                      process,
                      thread,
                      threads.test(process, thread),
                      new Part(runner(process, thread))));
      last = runner;
    }
    return runner;
  }

  /** Writes a line, or how often the lines before it were executed. */
  void folded(LoopFold.Item item) {
    ListedInstruction line = item.line();
    if (line != null) {
      lines.line(
          line.clock(), new Part(runner(line.process(), line.thread())), new Part(rest(line)));
      return;
    }
    StringBuilder text = new StringBuilder(120);
    right(text, "...", InstructionLines.CLOCK);
    String body = item.lines() == 1 ? "the line above" : "the " + item.lines() + " lines above";
    text.append("  %s x %d (%d instructions)".formatted(body, item.times(), item.instructions()));
    lines.line(new Part(text.toString()));
  }

  /** Begins a line with the place of something. */
  static void place(StringBuilder text, long clock, int process, int thread, String address) {
    right(text, Long.toString(clock), InstructionLines.CLOCK);
    text.append(runner(process, thread));
    right(text, address, ADDRESS);
    text.append("  ");
  }

  private static String runner(int process, int thread) {
    StringBuilder text = new StringBuilder();
    right(text, Integer.toString(process), PROCESS);
    text.append('/');
    left(text, Integer.toString(thread), THREAD);
    return text.toString();
  }

  private static String rest(ListedInstruction line) {
    if (line.kind() == ListedInstruction.Kind.INSTRUCTION) {
      StringBuilder text = instruction(line.what());
      text.append(line.memory().isEmpty() ? "" : "  ").append(line.memory());
      return text.append(line.registers().isEmpty() ? "" : "  ")
          .append(line.registers())
          .toString();
    }
    return " ".repeat(ADDRESS + 2) + front(line.kind()) + line.text();
  }

  private static StringBuilder instruction(ListedCode code) {
    StringBuilder text = new StringBuilder(120);
    right(text, Long.toHexString(code.address()), ADDRESS);
    text.append("  ");
    left(text, code.code(), BYTES);
    text.append(' ');
    left(text, code.text(), WORDS);
    text.append(' ').append(code.module());
    text.append(code.function().isEmpty() ? "" : " ").append(code.function());
    text.append(code.source().isEmpty() ? "" : " ");
    return text.append(code.source().substring(code.source().lastIndexOf('/') + 1));
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
}
