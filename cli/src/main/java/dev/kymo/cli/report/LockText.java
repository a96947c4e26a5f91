package dev.kymo.cli.report;

import dev.kymo.analysis.locks.LockCycle;
import dev.kymo.analysis.locks.LockPlace;
import dev.kymo.analysis.locks.LockReport;
import dev.kymo.analysis.locks.LockWait;
import dev.kymo.analysis.names.ThreadNames;
import dev.kymo.cli.terminal.Nanos;
import dev.kymo.cli.terminal.Printable;
import dev.kymo.cli.terminal.Terminal;
import dev.kymo.cli.terminal.TextTable;
import dev.kymo.format.Definition.TracedThread;
import dev.kymo.model.calls.ThreadCalls;
import dev.kymo.model.definitions.TracedMethod;
import java.util.List;
import java.util.stream.Collectors;

/** The longest waits for locks and the possible deadlocks, for people. */
final class LockText {
  /** The inner ones of more calls are shown. */
  private static final int CALLS = 8;

  private final Terminal terminal;

  LockText(Terminal terminal) {
    this.terminal = terminal;
  }

  /** Says why there is nothing: in the output for people, on standard error for programs. */
  static void tellNothing(Terminal terminal, boolean forPeople, boolean recorded) {
    String why =
        recorded
            ? "nothing of locks in the part asked for"
            : "no thread operations in this recording; 'kymo record --threads' records those of"
                + " native programs, 'kymo record --waits on' what Java's threads wait for";
    if (forPeople) {
      terminal.line(why);
    } else {
      terminal.warn(why);
    }
  }

  void write(LockReport report) {
    waits("longest waits for locks", report.longestForLocks());
    waits("longest waits for conditions, semaphores and barriers", report.longestForOthers());
    if (!report.ordersKnown() && report.cycles().isEmpty()) {
      return;
    }
    terminal.line("");
    if (report.cycles().isEmpty()) {
      terminal.line("no possible deadlocks: no cycle in the order in which locks were taken");
    }
    for (LockCycle cycle : report.cycles()) {
      cycle(cycle);
    }
    if (report.moreCycles()) {
      terminal.line("not all possible deadlocks were looked for, too many locks are nested");
    }
  }

  private void waits(String title, List<LockWait> waits) {
    if (waits.isEmpty()) {
      return;
    }
    terminal.line("");
    TextTable table = new TextTable();
    table.row("time", "at", title);
    for (LockWait w : waits) {
      table.row(Nanos.text(w.time()), Nanos.seconds(w.begin()), words(w));
      table.row("", "", "  " + name(w.thread()) + ": " + place(w.place()));
      w.holder()
          .ifPresent(h -> table.row("", "", "  " + name(h.thread()) + ": " + place(h.place())));
    }
    table.write(terminal);
  }

  private static String words(LockWait wait) {
    String end = wait.open() ? ", has not ended" : wait.acquired() ? "" : ", in vain";
    String holder =
        wait.holder()
            .map(h -> ", held by %s since %s".formatted(name(h.thread()), Nanos.seconds(h.since())))
            .orElse("");
    String deed = wait.open() ? ", held by " : ", woken by ";
    String releaser = wait.releaser().map(by -> deed + name(by)).orElse("");
    return "%s waited for %s%s%s%s"
        .formatted(name(wait.thread()), printable(wait.object()), end, holder, releaser);
  }

  private void cycle(LockCycle cycle) {
    terminal.line(
        "%sdeadlock of %d threads"
            .formatted(cycle.hasHappened() ? "" : "possible ", cycle.steps().size()));
    for (LockCycle.Step step : cycle.steps()) {
      terminal.line(
          "  %s had %s%s and %s %s%s"
              .formatted(
                  name(step.thread()),
                  printable(step.held()),
                  step.heldShared() ? " for reading" : "",
                  step.open() ? "waits for" : "took",
                  printable(step.wanted()),
                  step.wantedShared() ? " for reading" : ""));
      place(step.held(), step.heldAt());
      place(step.wanted(), step.wantedAt());
    }
  }

  private void place(String object, LockPlace place) {
    terminal.line(
        "    %s at %s: %s".formatted(printable(object), Nanos.seconds(place.time()), place(place)));
  }

  /** Calls from the outermost in; without them the code, or at least its address. */
  static String place(LockPlace place) {
    List<TracedMethod> calls = place.calls();
    if (calls.isEmpty()) {
      return place.caller() == 0
          ? "place unknown"
          : place
              .code()
              .map(code -> printable(code.placeText()))
              .orElseGet(() -> "0x" + Long.toHexString(place.caller()));
    }
    int first = Math.max(0, calls.size() - CALLS);
    return (first > 0 ? "… > " : "")
        + calls.subList(first, calls.size()).stream()
            .map(method -> printable(method.qualifiedName()))
            .collect(Collectors.joining(" > "));
  }

  static String name(ThreadCalls thread) {
    return name(thread.definition());
  }

  /** With its number: all threads of a native program have the same name unless it gives others. */
  private static String name(TracedThread thread) {
    return printable(ThreadNames.numbered(thread));
  }

  static String printable(String text) {
    return Printable.of(text);
  }
}
