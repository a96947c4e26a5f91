package dev.kymo.cli.print;

/** The cells that can be printed about an event. Each format takes what it shows. */
interface EventCells {
  /** What happened: {@code enter}, {@code disk.ALLOC}. */
  String event();

  /** To what, or with what data. */
  String subject();

  /** The subject, unless the place says it as well. */
  default String argument() {
    return subject();
  }

  /** Where in the program; empty = unknown. */
  default String place() {
    return "";
  }

  /** Appends the columns of a raw line from its kind on. */
  void raw(StringBuilder to);
}
