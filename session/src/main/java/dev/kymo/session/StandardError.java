package dev.kymo.session;

/** Sentences for the user while something is recorded. */
public final class StandardError {
  private StandardError() {}

  /** Says something that the user should know. */
  public static void say(String text) {
    System.err.println("kymo: " + text);
  }
}
