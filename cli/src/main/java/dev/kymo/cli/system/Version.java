package dev.kymo.cli;

/** Version of the program. */
final class Version {
  static final String TEXT = "0.1.0";

  private Version() {}
}
