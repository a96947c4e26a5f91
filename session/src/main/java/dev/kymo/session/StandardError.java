package dev.kymo.session;

/** Sentences for the user while something is recorded. */
public final class StandardError {
  private StandardError() {}

  public static void say(String text) {
    System.err.println("kymo: " + text);
  }
}
