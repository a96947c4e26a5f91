package dev.kymo.exporters.paje;

/** Texts as a Paj&eacute; trace has them. */
final class PajeText {
  private PajeText() {}

  /** A text in quotes: the format has no way to write a quote or the end of a line inside. */
  static String quoted(String text) {
    StringBuilder to = new StringBuilder(text.length() + 2).append('"');
    text.codePoints()
        .map(c -> c == '"' ? '\'' : Character.isISOControl(c) ? ' ' : c)
        .forEach(to::appendCodePoint);
    return to.append('"').toString();
  }

  /** A comment, which ends with its line. */
  static String comment(String text) {
    StringBuilder to = new StringBuilder(text.length() + 2).append("# ");
    text.codePoints().map(c -> Character.isISOControl(c) ? ' ' : c).forEach(to::appendCodePoint);
    return to.append('\n').toString();
  }
}
