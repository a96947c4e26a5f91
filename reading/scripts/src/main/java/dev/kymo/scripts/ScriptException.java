package dev.kymo.scripts;

/** A script cannot be used or has failed; the message is a sentence with its place. */
public final class ScriptException extends RuntimeException {
  private static final long serialVersionUID = 1;

  ScriptException(String message) {
    super(message, null, false, false);
  }
}
