package dev.kymo.cli.print;

import dev.kymo.instructions.listing.ListedInstruction;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Folds lines of a listing that are executed again and again, one time directly after the other:
 * they are handed on once, and after them how often they were executed. Nothing else is left out.
 *
 * <p>The first one folds lines. The second one gets what the first one hands on, and folds only
 * what has folds of the first one in it: loops with loops in them; and so on.
 */
final class LoopFold {
  /** Longer bodies are not folded. */
  static final int MAX_BODY = 4096;

  /** Two times are not worth it. */
  private static final int LEAST = 3;

  private final int level;
  private final Consumer<Item> to;

  /** What was handed on since the last fold, and where in it each line was last. */
  private final List<Item> handedOn = new ArrayList<>();

  private final Map<Item, Integer> places = new HashMap<>();

  /** Where there are folds in it. */
  private final List<Integer> folds = new ArrayList<>();

  /** The body that may be executed again: so many of what was handed on, from a place on. */
  private int begin;

  private int length;

  /** So many times it was, and of the next time so many lines. */
  private long again;

  private int matching;

  /** What was not handed on: at most the last two times and what was of the next one. */
  private final List<Item> held = new ArrayList<>();

  /**
   * A line of the listing, or how often the lines before it were executed.
   *
   * @param line null: it is a fold
   * @param level which one has folded it, from 1; 0: it is a line
   * @param lines of the fold's body
   * @param times that they were executed
   * @param instructions in all these times
   */
  record Item(
      @Nullable ListedInstruction line, int level, int lines, long times, long instructions) {
    Item(ListedInstruction line) {
      this(line, 0, 0, 0, line.kind() == ListedInstruction.Kind.INSTRUCTION ? 1 : 0);
    }

    /** Instructions that were executed with this line, besides those of other lines. */
    long own() {
      return line == null ? instructions / times * (times - 1) : instructions;
    }

    /** Whether both say the same of different times. */
    @Override
    public boolean equals(@Nullable Object other) {
      if (!(other instanceof Item item) || lines != item.lines || times != item.times) {
        return false;
      }
      if (line == null || item.line == null) {
        return line == null && item.line == null;
      }
      return line.address() == item.line.address()
          && line.kind() == item.line.kind()
          && line.thread() == item.line.thread()
          && line.process() == item.line.process()
          && line.code().equals(item.line.code())
          && line.text().equals(item.line.text());
    }

    @Override
    public int hashCode() {
      return line == null
          ? Integer.hashCode(lines) * 31 + Long.hashCode(times)
          : Long.hashCode(line.address()) * 31 + line.text().hashCode();
    }
  }

  private LoopFold(int level, Consumer<Item> to) {
    this.level = level;
    this.to = to;
  }

  /**
   * Folds loops, and loops in which there are loops.
   *
   * @param levels how deep
   * @return who gets each line; and who gets its end, in this order
   */
  static List<LoopFold> levels(int levels, Consumer<Item> to) {
    List<LoopFold> all = new ArrayList<>();
    Consumer<Item> next = to;
    for (int level = levels; level > 0; level--) {
      all.addFirst(new LoopFold(level, next));
      next = all.getFirst()::add;
    }
    return all;
  }

  void add(Item item) {
    if (length > 0 && !handedOn.get(begin + matching).equals(item)) {
      leave();
    }
    if (length == 0) {
      Integer place = places.get(item);
      if (place == null || !isBody(place)) {
        handOn(item);
        return;
      }
      begin = place;
      length = handedOn.size() - place;
    }
    held.add(item);
    matching++;
    if (matching == length) {
      matching = 0;
      again++;
      if (again >= LEAST) {
        held.subList(0, length).clear();
      }
    }
  }

  /** Nothing follows. */
  void end() {
    leave();
  }

  /**
   * Whether the lines from a place on may be a body: with all lines that the folds among them are
   * about, and not what the fold before this one folds.
   */
  private boolean isBody(int place) {
    boolean isOwn = level == 1;
    for (int i = folds.size() - 1; i >= 0 && folds.get(i) >= place; i--) {
      Item fold = handedOn.get(folds.get(i));
      if (folds.get(i) - fold.lines < place) {
        return false;
      }
      isOwn |= fold.level == level - 1;
    }
    return isOwn && handedOn.size() - place <= MAX_BODY;
  }

  /** The body is not executed any more. */
  private void leave() {
    int kept = matching + (mayBeNeeded() ? length : 0);
    long times = again + (kept == matching ? 1 : 0);
    List<Item> rest = List.copyOf(held);
    if (times >= LEAST) {
      rest = rest.subList(rest.size() - kept, rest.size());
      long body = handedOn.subList(begin, begin + length).stream().mapToLong(Item::own).sum();
      forget();
      to.accept(new Item(null, level, length, times, body * times));
    }
    held.clear();
    length = 0;
    matching = 0;
    again = 0;
    rest.forEach(this::handOn);
  }

  /**
   * Whether a fold may follow that is about lines at the end of the last time, which then have to
   * be handed on. They are not from before a fold of the same kind.
   */
  private boolean mayBeNeeded() {
    return level > 1 && length > 0 && handedOn.get(begin + length - 1).level != level - 1;
  }

  private void handOn(Item item) {
    if (handedOn.size() >= 2 * MAX_BODY) {
      forget();
    }
    places.put(item, handedOn.size());
    if (item.line == null) {
      folds.add(handedOn.size());
    }
    handedOn.add(item);
    to.accept(item);
  }

  private void forget() {
    handedOn.clear();
    places.clear();
    folds.clear();
  }
}
