package dev.kymo.format;

/**
 * Version of the recording format: {@code docs/format/changelog.md} says what each version added.
 */
public final class FormatVersion {
  /** Readers refuse another major version. */
  public static final int MAJOR = 1;

  /** Readers accept any minor version of their major one. */
  public static final int MINOR = 10;

  private FormatVersion() {}
}
