package dev.kymo.e2e.delivery;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A page of docs/ as who follows it reads it: files to write, command lines to run, what they
 * print. Blocks between {@code ```} say what they are: {@code sh}, {@code text}, or {@code LANGUAGE
 * file="NAME"}. Command lines may have {@code exit="3"} or {@code exit="any"} for the last one's
 * exit code, {@code needs="kernel"}, and {@code not-run="WHO RUNS THEM"}.
 */
record DocumentedPage(String name, List<Block> blocks) {
  private static final Pattern FENCE = Pattern.compile("```(\\w*)(.*)");
  private static final Pattern SAID = Pattern.compile("([\\w-]+)=\"([^\"]*)\"");

  /** A block, and the number of its first line. */
  record Block(String language, String said, int line, List<String> lines) {
    Optional<String> says(String name) {
      return SAID.matcher(said)
          .results()
          .filter(each -> each.group(1).equals(name))
          .map(each -> each.group(2))
          .findFirst();
    }

    boolean isRun() {
      return language.equals("sh") && says("not-run").isEmpty();
    }

    boolean isOutput() {
      return language.equals("text");
    }

    String text() {
      return String.join("\n", lines) + "\n";
    }
  }

  static DocumentedPage read(Path path) throws IOException {
    List<Block> blocks = new ArrayList<>();
    Block open = null;
    int number = 0;
    for (String line : Files.readAllLines(path)) {
      number++;
      Matcher fence = FENCE.matcher(line);
      if (!fence.matches()) {
        if (open != null) {
          open.lines.add(line);
        }
      } else if (open == null) {
        open = new Block(fence.group(1), fence.group(2), number + 1, new ArrayList<>());
        blocks.add(open);
      } else {
        open = null;
      }
    }
    if (open != null) {
      throw new AssertionError("a block does not end: %s:%d".formatted(path, open.line));
    }
    return new DocumentedPage(String.valueOf(path.getFileName()), blocks);
  }

  /**
   * Whether an output has the lines that are shown, in their order, perhaps with others between
   * them. A line has the words of the one that is shown, in their order: numbers and units are
   * different each time, and so is whether a column is worth its room.
   *
   * @return the first line that is not there
   */
  static Optional<String> missing(List<String> shown, String printed) {
    List<List<String>> lines = printed.lines().map(DocumentedPage::words).toList();
    int next = 0;
    for (String line : shown) {
      List<String> wanted = words(line);
      while (next < lines.size() && !hasInOrder(lines.get(next), wanted)) {
        next++;
      }
      if (next == lines.size()) {
        return Optional.of(line);
      }
      next++;
    }
    return Optional.empty();
  }

  private static boolean hasInOrder(List<String> words, List<String> wanted) {
    Iterator<String> left = words.iterator();
    for (String word : wanted) {
      boolean found = false;
      while (!found && left.hasNext()) {
        found = left.next().equals(word);
      }
      if (!found) {
        return false;
      }
    }
    return true;
  }

  /** Words that are the same each time; an object's number is not. */
  private static List<String> words(String line) {
    return Arrays.stream(line.strip().split("\\s+"))
        .filter(word -> word.matches("[A-Za-z].*") && !word.matches("(ns|us|ms|s)[,;:]?"))
        .map(word -> word.replaceFirst("@\\w+|/\\d+", ""))
        .toList();
  }
}
