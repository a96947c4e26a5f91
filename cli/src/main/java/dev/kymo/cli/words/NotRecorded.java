package dev.kymo.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.kymo.analysis.ToldTimes;
import dev.kymo.format.Definition;
import dev.kymo.model.CallPass;
import dev.kymo.model.RecordedStates;
import dev.kymo.model.TrackKind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Why there is nothing to show of something that a recording can have. */
final class NotRecorded {
  private static final String KERNEL =
      "nothing of the kernel in this recording; 'kymo record --kernel cswitch' records when threads"
          + " run and wait, see docs/kernel.md";

  /** In place of a number that nobody knows. */
  static final String DASH = "-";

  private NotRecorded() {}

  /** The states within running of which nobody asked the kernel: one sentence each. */
  static List<String> of(RecordedStates recorded) {
    List<String> lines = new ArrayList<>();
    if (!recorded.interrupts()) {
      lines.add("interrupts were not recorded; 'kymo record --kernel cswitch,irq' records them");
    }
    if (!recorded.faults()) {
      lines.add(
          "page faults were not recorded; 'kymo record --kernel cswitch,pagefault' records them");
    }
    return lines;
  }

  /** A number for programs, null if nobody knows it. */
  static void number(JsonGenerator json, String name, boolean known, long number)
      throws IOException {
    if (known) {
      json.writeNumberField(name, number);
    } else {
      json.writeNullField(name);
    }
  }

  /** Tells it: to people, or beside what programs read. */
  static void tell(Terminal terminal, boolean forPeople, CallPass pass, TrackKind kind) {
    lines(pass, kind).forEach(forPeople ? terminal::line : terminal::warn);
  }

  /** Whether the recording has any tracks of a kind. */
  static boolean has(CallPass pass, TrackKind kind) {
    return pass.threads().stream().anyMatch(t -> TrackKind.of(t.definition()) == kind);
  }

  private static List<String> lines(CallPass pass, TrackKind kind) {
    boolean states = kind == TrackKind.STATES;
    if (has(pass, kind) && (!states || knowsWaits(pass))) {
      return List.of("nothing of this in the part asked for");
    }
    Pattern why = Pattern.compile(why(kind));
    List<String> lines = new ArrayList<>(List.of(sentence(kind)));
    for (Definition.Notice notice : pass.definitions().notices()) {
      if (why.matcher(notice.text()).find()) {
        lines.add("notice: " + notice.text());
      }
    }
    return lines;
  }

  private static boolean knowsWaits(CallPass pass) {
    boolean[] found = {false};
    pass.readStates((thread, depth, method, begin, end, childTime, children, flags) ->
        found[0] |=
            TrackKind.of(thread.definition()) == TrackKind.STATES
                && !ToldTimes.isWeaving(pass.definitions().methods().get(method)));
    return found[0];
  }

  private static String sentence(TrackKind kind) {
    return switch (kind) {
      case STATES ->
          "no waits in this recording; 'kymo record --waits on' records them from the begin, without"
              + " it they begin when they fit the budget";
      case JVM ->
          "nothing of the virtual machine in this recording; 'kymo record --jvm-events on' records"
              + " it from the begin, without it that begins when it fits the budget";
      case SCHEDULED, CPU -> KERNEL;
      case CALLS -> "no calls in this recording";
    };
  }

  /** What the notices that tell why have in them. */
  private static String why(TrackKind kind) {
    return switch (kind) {
      case STATES -> "wait|locks|monitors|no longer recorded";
      case JVM -> "virtual machine|flight recorder|no longer recorded";
      case SCHEDULED, CPU -> "(?i)kernel";
      case CALLS -> "class is not recorded";
    };
  }
}
