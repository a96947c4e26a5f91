package dev.kymo.kernel;

import dev.kymo.format.KernelEventFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Whether an event's bytes are what the kernel itself says of it. Twice: in its usual text, which
 * is written anew here from the bytes, and in that of its option {@code fields}, which has every
 * field.
 */
final class TextComparison {
  private static final List<String> FLUSH_REASONS =
      List.of(
          "flush on task switch",
          "remote shootdown",
          "local shootdown",
          "local MM shootdown",
          "remote IPI send",
          "remote wrong CPU");
  private static final List<String> SOFTIRQS =
      List.of(
          "HI",
          "TIMER",
          "NET_TX",
          "NET_RX",
          "BLOCK",
          "IRQ_POLL",
          "TASKLET",
          "SCHED",
          "HRTIMER",
          "RCU");
  private static final String STATES = "SDTtXZPI";
  private static final Set<String> VECTORS = Service.IRQ.events();
  private static final Pattern NUMBER = Pattern.compile("([^()]*)\\((-?\\d+|0x[0-9a-f]+)\\) ?");

  private final Symbols symbols;

  TextComparison(Symbols symbols) {
    this.symbols = symbols;
  }

  /** What differs in the usual text; null if nothing does. */
  @Nullable String inUsual(KernelText text, long clock, EventValues event) {
    String wanted = common(text, clock, event);
    if (wanted != null) {
      return wanted;
    }
    if (!text.name().equals(event.format().name())) {
      return "name " + event.format().name();
    }
    String arguments = text.arguments();
    if (text.name().startsWith("page_fault_")) {
      return fault(arguments, event);
    }
    if (text.name().equals("hrtimer_expire_entry")) {
      return timer(arguments, event);
    }
    String own = usual(event);
    return own.equals(arguments) ? null : "arguments " + own;
  }

  private static @Nullable String common(KernelText text, long clock, EventValues event) {
    char preempt = text.flags().charAt(3);
    int count = preempt == '.' ? 0 : Character.digit(preempt, 16);
    if (text.clock() != clock) {
      return "clock " + clock;
    }
    if (text.tid() != event.tid()) {
      return "tid " + event.tid();
    }
    return count == (event.preemptCount() & 15) ? null : "preempt " + event.preemptCount();
  }

  private @Nullable String fault(String text, EventValues e) {
    Matcher parts = Pattern.compile("address=(\\S+) ip=(\\S+) error_code=0x(\\w+)").matcher(text);
    boolean same =
        parts.matches()
            && symbols.isText(e.number("address"), parts.group(1))
            && symbols.isText(e.number("ip"), parts.group(2))
            && Long.toHexString(e.number("error_code")).equals(parts.group(3));
    return same ? null : "fault %x %x".formatted(e.number("address"), e.number("ip"));
  }

  private @Nullable String timer(String text, EventValues e) {
    Matcher parts = Pattern.compile("hrtimer=(\\w+) function=(\\S+) now=(\\d+)").matcher(text);
    boolean same =
        parts.matches()
            && "%016x".formatted(e.number("hrtimer")).equals(parts.group(1))
            && symbols.isText(e.number("function"), parts.group(2))
            && Long.toString(e.number("now")).equals(parts.group(3));
    return same ? null : "timer %x %x".formatted(e.number("hrtimer"), e.number("function"));
  }

  private static String usual(EventValues e) {
    String name = e.format().name();
    if (name.startsWith("sys_enter_")) {
      List<String> arguments = new ArrayList<>();
      for (KernelEventFormat.Field field : e.format().fields()) {
        if (!field.name().equals("__syscall_nr")) {
          arguments.add(field.name() + ": " + hex(e.number(field)));
        }
      }
      return String.join(", ", arguments);
    }
    if (name.startsWith("sys_exit_")) {
      return "0x" + Long.toHexString(e.number("ret"));
    }
    if (VECTORS.contains("irq_vectors:" + name)) {
      return filled("vector=%d", e, "vector");
    }
    return switch (name) {
      case "sched_switch" ->
          filled("prev_comm=%s prev_pid=%d prev_prio=%d ", e, "prev_comm", "prev_pid", "prev_prio")
              + "prev_state="
              + state(e.number("prev_state"))
              + filled(
                  " ==> next_comm=%s next_pid=%d next_prio=%d",
                  e, "next_comm", "next_pid", "next_prio");
      case "sched_waking", "sched_wakeup_new" ->
          filled("comm=%s pid=%d prio=%d target_cpu=%03d", e, "comm", "pid", "prio", "target_cpu");
      case "sched_migrate_task" ->
          filled(
              "comm=%s pid=%d prio=%d orig_cpu=%d dest_cpu=%d",
              e, "comm", "pid", "prio", "orig_cpu", "dest_cpu");
      case "irq_handler_entry" -> filled("irq=%d name=%s", e, "irq", "name");
      case "irq_handler_exit" ->
          filled("irq=%d ret=", e, "irq") + (e.number("ret") != 0 ? "handled" : "unhandled");
      case "softirq_entry", "softirq_exit" ->
          filled("vec=%d [action=", e, "vec") + SOFTIRQS.get((int) e.number("vec")) + "]";
      case "hrtimer_expire_exit" -> "hrtimer=%016x".formatted(e.number("hrtimer"));
      case "exit_mmap" -> "mt_mod %016x, DESTROY".formatted(e.number("mt"));
      case "tlb_flush" ->
          filled("pages:%d reason:", e, "pages")
              + FLUSH_REASONS.get((int) e.number("reason"))
              + filled(" (%d)", e, "reason");
      default -> lives(e);
    };
  }

  private static String lives(EventValues e) {
    return switch (e.format().name()) {
      case "task_newtask" ->
          filled(
              "pid=%d comm=%s clone_flags=%x oom_score_adj=%d",
              e, "pid", "comm", "clone_flags", "oom_score_adj");
      case "task_rename" ->
          e.format().has("pid")
              ? filled(
                  "pid=%d oldcomm=%s newcomm=%s oom_score_adj=%d",
                  e, "pid", "oldcomm", "newcomm", "oom_score_adj")
              : filled(
                  "oldcomm=%s newcomm=%s oom_score_adj=%d",
                  e, "oldcomm", "newcomm", "oom_score_adj");
      case "sched_process_fork" ->
          filled(
              "comm=%s pid=%d child_comm=%s child_pid=%d",
              e, "parent_comm", "parent_pid", "child_comm", "child_pid");
      case "sched_process_exec" ->
          filled("filename=%s pid=%d old_pid=%d", e, "filename", "pid", "old_pid");
      case "sched_process_exit" ->
          filled("comm=%s pid=%d prio=%d group_dead=", e, "comm", "pid", "prio")
              + (e.number("group_dead") != 0);
      case "sched_process_free" -> filled("comm=%s pid=%d prio=%d", e, "comm", "pid", "prio");
      case "signal_generate" ->
          filled(
                  "sig=%d errno=%d code=%d comm=%s pid=%d ",
                  e, "sig", "errno", "code", "comm", "pid")
              + filled("grp=%d res=%d", e, "group", "result");
      case "signal_deliver" ->
          filled(
              "sig=%d errno=%d code=%d sa_handler=%x sa_flags=%x",
              e, "sig", "errno", "code", "sa_handler", "sa_flags");
      default -> throw new AssertionError("no text for " + e.format());
    };
  }

  private static String filled(String pattern, EventValues e, String... fields) {
    Object[] values = new Object[fields.length];
    for (int i = 0; i < fields.length; i++) {
      KernelEventFormat.Field field = e.format().field(fields[i]);
      values[i] =
          field.kind() == KernelEventFormat.Kind.INTEGER ? (Object) e.number(field) : e.text(field);
    }
    return pattern.formatted(values);
  }

  private static String hex(long value) {
    return value >= 0 && value < 10 ? Long.toString(value) : "0x" + Long.toHexString(value);
  }

  private static String state(long state) {
    List<String> flags = new ArrayList<>();
    for (int bit = 0; bit < STATES.length(); bit++) {
      if ((state & 1 << bit) != 0) {
        flags.add(STATES.substring(bit, bit + 1));
      }
    }
    String text = flags.isEmpty() ? "R" : String.join("|", flags);
    return text + ((state & 1 << STATES.length()) != 0 ? "+" : "");
  }

  /** What differs in the text of all fields; null if nothing does. */
  static @Nullable String inFields(KernelText text, long clock, EventValues event) {
    String wanted = common(text, clock, event);
    if (wanted != null) {
      return wanted;
    }
    String rest = text.arguments();
    for (KernelEventFormat.Field field : event.format().fields()) {
      String begin = field.name() + "=";
      if (!rest.startsWith(begin)) {
        return "no field %s at %s".formatted(field.name(), rest);
      }
      rest = rest.substring(begin.length());
      if (field.kind() == KernelEventFormat.Kind.INTEGER) {
        Matcher number = NUMBER.matcher(rest);
        if (!number.lookingAt() || !isValue(field, number, event.number(field))) {
          return "%s %d".formatted(field.name(), event.number(field));
        }
        rest = rest.substring(number.end());
      } else {
        String value = event.text(field);
        if (!rest.startsWith(value)) {
          return field.name() + " " + value;
        }
        rest = rest.substring(value.length()).replaceFirst("^ ", "");
      }
    }
    return rest.isEmpty() ? null : "there is more: " + rest;
  }

  /**
   * Of pointers to text the kernel writes where in its buffer they are, of functions the lower
   * half: the usual text has both.
   */
  private static boolean isValue(KernelEventFormat.Field field, Matcher text, long value) {
    if (text.group(2).startsWith("0x")) {
      return field.declaration().contains("char");
    }
    long said = Long.parseLong(text.group(2));
    boolean half = field.size() == Integer.BYTES || text.group(1).contains("+0x");
    return half ? (int) said == (int) value : said == value;
  }
}
