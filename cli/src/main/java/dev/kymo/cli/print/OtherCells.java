package dev.kymo.cli.print;

/**
 * The cells of what is not an event of a thread: a loss, a definition, a method's new mode, a
 * kernel event.
 *
 * @param kind in raw lines
 * @param number in raw lines; empty = none
 * @param subsystem in raw lines; empty = none
 */
record OtherCells(
    String kind, String number, String subsystem, String event, String subject, String place)
    implements EventCells {
  /** About something that has only a text. */
  static OtherCells of(String kind, String number, String subject) {
    return new OtherCells(kind, number, "", kind, subject, "");
  }

  @Override
  public void raw(StringBuilder to) {
    String id = subsystem.isEmpty() ? "" : event.substring(subsystem.length() + 1);
    RawFormat.cells(to, kind, number, subsystem, id);
    RawFormat.text(to, subject.equals(number) ? "" : subject);
  }
}
