package dev.kymo.format;

import java.util.List;
import java.util.Optional;

/**
 * Notices that readers act on. Recordings have a notice's text alone; its beginning is the code.
 * Whoever writes such a notice begins it with {@link #text}, and adds facts.
 */
public enum NoticeCode {
  /** Recording waits failed. */
  WAITS_ENDED("what threads wait for is no longer recorded"),
  /** The program has no flight recorder, or it cannot start. */
  EVENTS_MISSING("monitors, sleep and the virtual machine's events are not recorded"),
  LOCKS_MISSING("locks and parks are not recorded"),
  STARTS_MISSING("waits for references and starts of virtual threads are not recorded"),
  LONG_WAITS_MISSING(
      "monitors, waits and sleeps that began early or have not ended at the end are not recorded"),
  LAST_WAITS_MISSING("the last of what threads waited for is missing"),
  /** Waits or events of the virtual machine have cost more than the budget allows. */
  OVER_BUDGET("no longer recorded, because it does not fit the budget"),

  CLASS_MISSING("class is not recorded"),

  KERNEL_ENDED("kernel events end"),
  KERNEL_WANTED("this process wants kernel events"),
  DAEMON_SILENT("the daemon for kernel events has said nothing"),
  DAEMON_GOES_ON("the daemon for kernel events goes on"),
  KERNEL_RIGHTS("programs whose kernel events may not be seen"),

  /** An option has named nothing in this process; the pattern follows. */
  INCLUDE_IN_VAIN("no class or method that can be recorded was there: --include "),
  START_IN_VAIN("the event was not there: --start-on "),
  STOP_IN_VAIN("the event was not there: --stop-on "),
  SNAPSHOT_IN_VAIN("the event was not there: --snapshot-on "),

  /** The process is of a recording whose clock was compared with another's; the error follows. */
  CLOCK_ERROR("clocks were compared, its times may be wrong by "),

  /** Says what was wrong with the recording that a slice was cut from; the oddity follows. */
  DAMAGED_SOURCE("cut from a damaged recording: ");

  /** Each process says it for itself; who records says it when all did. */
  public static final List<NoticeCode> IN_VAIN =
      List.of(INCLUDE_IN_VAIN, START_IN_VAIN, STOP_IN_VAIN, SNAPSHOT_IN_VAIN);

  private static final List<NoticeCode> ALL = List.of(values());

  private final String text;

  NoticeCode(String text) {
    this.text = text;
  }

  /** How notices of this code begin. */
  public String text() {
    return text;
  }

  public boolean is(Definition.Notice notice) {
    return notice.text().startsWith(text);
  }

  /** The code of a notice; empty if it is only to be read by people. */
  public static Optional<NoticeCode> of(Definition.Notice notice) {
    return ALL.stream().filter(code -> code.is(notice)).findFirst();
  }
}
