package dev.kymo.format;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * Leaves out of command lines what looks like a secret: the values of options and properties whose
 * names say so, and passwords in addresses. Recordings are passed on, and what lies in them is
 * compressed, so nobody finds it there by searching.
 */
public final class Redaction {
  /**
   * Stands between the words of a command line on the way to here: words can have blanks in them.
   */
  public static final char BETWEEN = '\u001f';

  /** In place of a value. */
  public static final String LEFT_OUT = "***";

  /** Command lines stay as they are. */
  public static final Redaction NONE = new Redaction("");

  private static final String NAMES =
      "passw(?:or)?d|passphrase|passcode|(?<![a-z])(?:pass|pwd)(?![a-z])|secret|token(?!i)"
          + "|(?:api|access|private|encryption|auth)[-_.]?key|credential|authorization|bearer|cookie";

  /** What is left out if nothing is said. */
  public static final Redaction USUAL = new Redaction(NAMES);

  private static final Pattern ADDRESS = Pattern.compile("(\\w+://[^\\s/:@]*:)[^\\s/@]+@");

  /** A name, its sign, and what is left out; without names: nothing is. */
  private final Pattern named;

  private final Pattern option;
  private final Pattern name;
  private final boolean isOff;

  private Redaction(String names) {
    isOff = names.isEmpty();
    String key = "(?:" + names + ")";
    String equal = key + "[\\w.\\-]*[\"']?\\s*=+\\s*";
    // Colons stand between the parts of class paths, too.
    String colon = "^[^/]*" + key + "[\\w\\-]*[\"']?\\s*:+\\s*(?!/)";
    named = Pattern.compile("(?is)(" + equal + "|" + colon + ").+");
    name = Pattern.compile("(?i)" + key);
    option = Pattern.compile("(?i)--?[\\w.\\-]*" + key + "[\\w.\\-]*");
  }

  /**
   * The usual names, and others.
   *
   * @param more regular expressions, each found in names of options and properties
   * @throws IllegalArgumentException with a sentence, if one is none
   */
  public static Redaction of(List<String> more) {
    StringBuilder names = new StringBuilder(NAMES);
    for (String each : more) {
      try {
        Pattern.compile(each);
      } catch (PatternSyntaxException e) {
        throw new IllegalArgumentException(
            "'" + each + "' is not a regular expression: " + e.getDescription(), e);
      }
      if (!each.isEmpty()) {
        names.append("|(?:").append(each).append(')');
      }
    }
    return new Redaction(names.toString());
  }

  /** The words of a command line, as {@link #of(String)} takes them. */
  public static String join(List<String> words) {
    return String.join(String.valueOf(BETWEEN), words);
  }

  /** A command line as it is recorded, with blanks between its words. */
  public String of(String command) {
    String[] words =
        command.split(command.indexOf(BETWEEN) < 0 ? " " : String.valueOf(BETWEEN), -1);
    boolean isValue = false;
    for (int i = 0; i < words.length && !isOff; i++) {
      String word = words[i];
      if (isValue && !word.startsWith("-")) {
        words[i] = LEFT_OUT;
      } else {
        words[i] = word(word);
      }
      isValue = option.matcher(word).matches();
    }
    return String.join(" ", words).strip();
  }

  /** The value of a property or variable as it is recorded; it may be a command line. */
  public String value(String name, String value) {
    return !isOff && !value.isEmpty() && this.name.matcher(name).find() ? LEFT_OUT : of(value);
  }

  private String word(String word) {
    Matcher secret = named.matcher(word);
    String without =
        secret.find() ? secret.replaceFirst("$1" + Matcher.quoteReplacement(LEFT_OUT)) : word;
    return ADDRESS.matcher(without).replaceAll("$1" + LEFT_OUT + "@");
  }

  /**
   * Definitions as they are recorded.
   *
   * @param records whole records; what cannot be read stays as it is
   * @return the same, or others in a buffer of their own
   */
  public ByteBuffer redacted(ByteBuffer records) {
    List<ByteBuffer> parts = new ArrayList<>();
    ByteBuffer rest = records.duplicate().order(records.order());
    int begin = rest.position();
    try {
      while (rest.hasRemaining()) {
        int at = rest.position();
        int kind = rest.getInt(at + 1);
        rest.position(at + DefinitionCodec.HEADER_SIZE);
        if (kind == DefinitionCodec.PROCESS) {
          ByteBuffer process = process(records, rest, at); // if it is damaged, nothing is added
          parts.add(slice(records, begin, at));
          parts.add(process);
          begin = rest.position();
        } else {
          DefinitionCodec.skip(rest, kind);
        }
      }
    } catch (BufferUnderflowException | IndexOutOfBoundsException | IllegalArgumentException e) {
      // damaged: readers report where
    }
    if (parts.isEmpty()) {
      return records;
    }
    parts.add(slice(records, begin, records.limit()));
    ByteBuffer all =
        ByteBuffer.allocate(parts.stream().mapToInt(ByteBuffer::remaining).sum())
            .order(records.order());
    parts.forEach(all::put);
    return all.flip();
  }

  private ByteBuffer process(ByteBuffer records, ByteBuffer rest, int at) {
    long clock = records.getLong(at + 5);
    Definition read = DefinitionCodec.get(rest, DefinitionCodec.PROCESS);
    ByteBuffer to =
        ByteBuffer.allocate(rest.position() - at + 2 * DefinitionCodec.MAX_STRING)
            .order(records.order());
    if (read instanceof Definition.TracedProcess d) {
      DefinitionCodec.put(
          to,
          clock,
          new Definition.TracedProcess(
              d.process(), d.pid(), d.parentPid(), of(d.command()), d.jvm()));
    }
    return to.flip();
  }

  private static ByteBuffer slice(ByteBuffer of, int from, int to) {
    return of.duplicate().order(of.order()).position(from).limit(to).slice().order(of.order());
  }
}
