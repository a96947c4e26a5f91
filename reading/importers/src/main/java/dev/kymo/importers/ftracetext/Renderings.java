package dev.kymo.importers.ftracetext;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Texts of events that trace-cmd and the kernel write otherwise than as {@code field=value}. */
final class Renderings {
  private static final Pattern SWITCH =
      Pattern.compile("(.*):(\\d+) \\[(-?\\d+)] (\\S+) ==> (.*):(\\d+) \\[(-?\\d+)]");
  private static final Pattern WAKEUP =
      Pattern.compile("(.*):(\\d+) \\[(-?\\d+)](?: success=(\\d+))?(?: <?CPU:(\\d+)>?)?");

  private Renderings() {}

  /** The text as the kernel itself writes it. */
  static String kernels(String event, String text) {
    if (event.equals("sched_switch")) {
      Matcher of = SWITCH.matcher(text);
      if (of.matches()) {
        return "prev_comm=%s prev_pid=%s prev_prio=%s prev_state=%s next_comm=%s next_pid=%s next_prio=%s"
            .formatted(
                of.group(1),
                of.group(2),
                of.group(3),
                of.group(4),
                of.group(5),
                of.group(6),
                of.group(7));
      }
    }
    if (event.startsWith("sched_wak")) {
      Matcher of = WAKEUP.matcher(text);
      if (of.matches()) {
        return "comm=%s pid=%s prio=%s%s%s"
            .formatted(
                of.group(1),
                of.group(2),
                of.group(3),
                of.group(4) == null ? "" : " success=" + of.group(4),
                of.group(5) == null ? "" : " target_cpu=" + of.group(5));
      }
    }
    return text;
  }

  /** Bits of a thread's state, of its letters: {@code S}, {@code R+}, {@code D|K}. */
  static long state(String letters) {
    long bits = 0;
    for (int i = 0; i < letters.length(); i++) {
      bits |=
          switch (letters.charAt(i)) {
            case 'S' -> 1;
            case 'D' -> 2;
            case 'T' -> 4;
            case 't' -> 8;
            case 'X', 'x' -> 16;
            case 'Z' -> 32;
            case 'P' -> 64;
            case 'I', 'K', 'W', 'N', 'n', 'w' -> 128;
            case '+' -> 256;
            default -> 0;
          };
    }
    return bits;
  }
}
