package dev.kymo.cli.words;

import dev.kymo.analysis.cause.ReportedTimes;
import dev.kymo.cli.terminal.Terminal;
import dev.kymo.format.Definition;
import dev.kymo.format.NoticeCode;
import dev.kymo.model.calls.CallPass;
import dev.kymo.model.definitions.RecordedStates;
import dev.kymo.model.definitions.TrackKind;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Why a recording contains nothing of something that others contain. */
public final class NotRecorded {
  private static final String KERNEL =
      "nothing of the kernel in this recording; 'kymo record --kernel cswitch' records when threads"
          + " run and wait, see docs/kernel.md";

  private static final Set<NoticeCode> WAITS =
      EnumSet.of(
          NoticeCode.WAITS_ENDED,
          NoticeCode.EVENTS_MISSING,
          NoticeCode.LOCKS_MISSING,
          NoticeCode.STARTS_MISSING,
          NoticeCode.LONG_WAITS_MISSING,
          NoticeCode.LAST_WAITS_MISSING,
          NoticeCode.OVER_BUDGET);
  private static final Set<NoticeCode> KERNEL_NOTICES =
      EnumSet.of(
          NoticeCode.KERNEL_ENDED,
          NoticeCode.KERNEL_WANTED,
          NoticeCode.DAEMON_SILENT,
          NoticeCode.DAEMON_GOES_ON,
          NoticeCode.KERNEL_RIGHTS);

  private NotRecorded() {}

  /** The states within running that were not recorded: one sentence each. */
  public static List<String> of(RecordedStates recorded) {
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

  /** Says why: in the output for people, on standard error for programs. */
  public static void tell(Terminal terminal, boolean forPeople, CallPass pass, TrackKind kind) {
    lines(pass, kind).forEach(forPeople ? terminal::line : terminal::warn);
  }

  /** Whether the recording has any tracks of a kind. */
  public static boolean has(CallPass pass, TrackKind kind) {
    return pass.threads().stream().anyMatch(t -> TrackKind.of(t.definition()) == kind);
  }

  private static List<String> lines(CallPass pass, TrackKind kind) {
    boolean states = kind == TrackKind.STATES;
    if (has(pass, kind) && (!states || knowsWaits(pass))) {
      return List.of("nothing of this in the part asked for");
    }
    Set<NoticeCode> why = why(kind);
    List<String> lines = new ArrayList<>(List.of(sentence(kind)));
    for (Definition.Notice notice : pass.definitions().notices()) {
      if (NoticeCode.of(notice).filter(why::contains).isPresent()) {
        lines.add("notice: " + notice.text());
      }
    }
    return lines;
  }

  private static boolean knowsWaits(CallPass pass) {
    boolean[] found = {false};
    pass.readStates(call ->
        found[0] |=
            TrackKind.of(call.thread().definition()) == TrackKind.STATES
                && !ReportedTimes.isWeaving(pass.definitions().methods().get(call.method())));
    return found[0];
  }

  private static String sentence(TrackKind kind) {
    return switch (kind) {
      case STATES ->
          "no waits in this recording; 'kymo record --waits on' records them from the beginning,"
              + " without it they begin when they fit the budget";
      case JVM ->
          "nothing of the virtual machine in this recording; 'kymo record --jvm-events on' records"
              + " it, without it only the pauses of its collector are";
      case SCHEDULED, CPU -> KERNEL;
      case CALLS -> "no calls in this recording";
    };
  }

  /** Notices that explain it. */
  private static Set<NoticeCode> why(TrackKind kind) {
    return switch (kind) {
      case STATES -> WAITS;
      case JVM -> EnumSet.of(NoticeCode.EVENTS_MISSING, NoticeCode.OVER_BUDGET);
      case SCHEDULED, CPU -> KERNEL_NOTICES;
      case CALLS -> EnumSet.of(NoticeCode.CLASS_MISSING);
    };
  }
}
