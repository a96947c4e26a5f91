package dev.kymo.session.system;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The state that this program was started with, and that a command which it runs must get, too. The
 * virtual machine changes some of it for itself, and the script {@code kymo} changes more for the
 * virtual machine: it says how it was in the variable {@code KYMO_LAUNCH}, as {@code NAME=VALUE}
 * with blanks between, and has left the environment in an open file.
 *
 * @param environment in the order it came; values and names as {@link RawText}
 * @param blocked signals that are blocked, the first is bit 0
 * @param ignored signals that are ignored
 * @param openFiles how many files a process may have open; -1 = unlimited, 0 = not known
 * @param descriptors open files beyond standard input, output and error
 * @param closed those of the three that are closed
 * @param folder an open file that is the current folder, if the virtual machine cannot be in it; -1
 *     = it is
 * @param outputToError whether a command gets standard error as its standard output
 */
public record Inherited(
    Map<String, String> environment,
    long blocked,
    long ignored,
    long openFiles,
    Set<Integer> descriptors,
    Set<Integer> closed,
    int folder,
    boolean outputToError) {
  private static final String LAUNCH = "KYMO_LAUNCH";

  private static final Path ENVIRONMENT = Path.of("/proc/self/environ");

  /** What the script says, nothing if it was not used. */
  private static final String SAID = said();

  /** Can be read once. */
  private static final Map<String, String> GIVEN = variables();

  /** The present state, as far as it is known if the script was not used. */
  public static Inherited find() {
    long pid = ProcessHandle.current().pid();
    // The first thread is not a Java thread: its signals are unchanged.
    String first = status("/proc/self/task/" + pid + "/status");
    return new Inherited(
        GIVEN,
        mask(first, "SigBlk:\\s*"),
        SAID.isEmpty() ? mask(first, "SigIgn:\\s*") : mask(SAID, "ignored="),
        openFiles(SAID),
        numbers(SAID, "open="),
        numbers(SAID, "closed="),
        numbers(SAID, "folder=").stream().findFirst().orElse(-1),
        false);
  }

  /** The same, but a command's standard output is to be this program's standard error. */
  public Inherited withOutputToError() {
    return new Inherited(
        environment, blocked, ignored, openFiles, descriptors, closed, folder, true);
  }

  /** Children of this process have the variable, too, but not what it tells of. */
  private static String said() {
    String launch = System.getenv().getOrDefault(LAUNCH, "");
    String process = "process=%d ".formatted(ProcessHandle.current().pid());
    return launch.startsWith(process) ? launch : "";
  }

  private static Map<String, String> variables() {
    Map<String, String> variables = new LinkedHashMap<>();
    for (String entry : entries()) {
      int equals = entry.indexOf('=', 1);
      if (equals > 0 && !entry.startsWith(LAUNCH + "=")) {
        variables.putIfAbsent(entry.substring(0, equals), entry.substring(equals + 1));
      }
    }
    return Collections.unmodifiableMap(variables);
  }

  private static List<String> entries() {
    try {
      OptionalInt file = numbers(SAID, "environment=").stream().mapToInt(n -> n).findFirst();
      return file.isPresent()
          ? kept(Files.readAllBytes(Path.of("/proc/self/fd/" + file.getAsInt())))
          : RawText.strings(Files.readAllBytes(ENVIRONMENT));
    } catch (IOException e) {
      Function<Map.Entry<String, String>, String> text = v -> v.getKey() + "=" + v.getValue();
      return System.getenv().entrySet().stream().map(text).toList();
    }
  }

  /** Texts of which each has its length and a colon before it. */
  private static List<String> kept(byte[] bytes) {
    List<String> texts = new ArrayList<>();
    ByteBuffer left = ByteBuffer.wrap(bytes);
    while (left.hasRemaining() && left.get(left.position()) != '\n') {
      int length = 0;
      for (byte digit = left.get(); digit != ':'; digit = left.get()) {
        length = length * 10 + digit - '0';
      }
      texts.add(RawText.decode(left.slice(left.position(), length)));
      left.position(left.position() + length);
    }
    return texts;
  }

  private static String status(String file) {
    try {
      return Files.readString(Path.of(file), StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      return "";
    }
  }

  private static long mask(String text, String name) {
    Matcher matcher = Pattern.compile(name + "([0-9a-f]{1,16})").matcher(text);
    return matcher.find() ? Long.parseUnsignedLong(matcher.group(1), 16) : 0;
  }

  private static long openFiles(String text) {
    Matcher matcher = Pattern.compile("files=(\\d{1,18}|unlimited)").matcher(text);
    return !matcher.find()
        ? 0
        : matcher.group(1).equals("unlimited") ? -1 : Long.parseLong(matcher.group(1));
  }

  private static Set<Integer> numbers(String text, String name) {
    Matcher matcher = Pattern.compile(name + "(\\d{1,9}(?:,\\d{1,9})*)").matcher(text);
    return matcher.find()
        ? Arrays.stream(matcher.group(1).split(","))
            .map(Integer::valueOf)
            .collect(Collectors.toSet())
        : Set.of();
  }

  /** What signals this process ignores now. */
  static long ignoredNow() {
    return mask(status("/proc/self/status"), "SigIgn:\\s*");
  }
}
