package dev.kymo.network.listen;

import dev.kymo.format.ClockExchanges;
import dev.kymo.network.wire.ProtocolException;
import java.util.regex.Pattern;

/** Names that senders may give: none leads out of its directory, or hides. */
final class FileName {
  /** A stream, the description of all, or one of two files beside them. */
  private static final Pattern FILE =
      Pattern.compile(
          "[A-Za-z0-9_][A-Za-z0-9._-]{0,199}|\\.bookmarks\\.json|"
              + Pattern.quote(ClockExchanges.FILE));

  /** A recording or a session. */
  private static final Pattern DIRECTORY =
      Pattern.compile("[\\p{L}\\p{N}_][\\p{L}\\p{N}._@+,= -]{0,99}");

  private FileName() {}

  static String file(String name) throws ProtocolException {
    if (!FILE.matcher(name).matches()) {
      throw new ProtocolException("not a name for a file: name=\"" + name + "\"");
    }
    return name;
  }

  static String directory(String name) throws ProtocolException {
    if (!DIRECTORY.matcher(name).matches()) {
      throw new ProtocolException(
          "not a name for a recording or session: name=\"%s\"; use letters, digits and ._@+,=-, 100 at most"
              .formatted(name));
    }
    return name;
  }
}
