package dev.kymo.importers.target;

/**
 * Origin of a foreign file; what the file does not say is {@code unknown}.
 *
 * @param format that it has: {@code CTF 1.8}
 * @param command that was recorded, or the file's name
 * @param kernel {@code Linux 6.1.0}
 * @param processors how many; 0 = not said
 */
public record Source(
    String format, String command, String host, String kernel, String processor, int processors) {
  /** A file that says nothing about its origin. */
  public static Source unknown(String format, String file) {
    return new Source(format, file, "unknown", "unknown", "unknown", 0);
  }
}
