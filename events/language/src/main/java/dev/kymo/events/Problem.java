package dev.kymo.events;

/**
 * Something that is wrong in a definition file.
 *
 * @param file as the user named it
 * @param message what is wrong and what was expected
 */
public record Problem(String file, Place place, String message) {
  /** {@code file:line:column: message}, as editors understand it. */
  @Override
  public String toString() {
    return file + ":" + place.line() + ":" + place.column() + ": " + message;
  }
}
