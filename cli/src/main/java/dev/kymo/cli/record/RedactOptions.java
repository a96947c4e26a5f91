package dev.kymo.cli.record;

import dev.kymo.format.Redaction;
import dev.kymo.session.UsageException;
import java.util.List;
import picocli.CommandLine.Option;

/** Options for the values in command lines that are left out. */
public final class RedactOptions {
  @Option(
      names = "--redact",
      paramLabel = "REGEX",
      description =
          "Leave out of recorded command lines the values of options and properties with this in"
              + " their names, too: those of password, secret, token, api-key and the like are"
              + " always left out. May be repeated.")
  private List<String> names = List.of();

  @Option(names = "--no-redact", description = "Leave nothing out of recorded command lines.")
  private boolean off;

  /**
   * The rules that were asked for.
   *
   * @throws UsageException if they contradict each other, or one is no regular expression
   */
  public Redaction redaction() {
    if (off && !names.isEmpty()) {
      throw new UsageException("--redact does not go with --no-redact");
    }
    try {
      return off ? Redaction.NONE : Redaction.of(names);
    } catch (IllegalArgumentException e) {
      throw new UsageException("--redact: " + e.getMessage());
    }
  }
}
