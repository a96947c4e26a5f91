package dev.kymo.importers.uftrace.data;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/**
 * Arguments and results of functions that were recorded: as the user asked, as debug information
 * says, or as uftrace knows of well-known functions.
 */
final class Arguments {
  private static final Pattern SPECIAL = Pattern.compile("[.?*+\\-^$|()\\[\\]{}]");
  private static final int MOST = 10_000;

  private final int word;
  private final boolean automatic;
  private final List<Rule> asked = new ArrayList<>();
  private final Map<String, String> knownArguments;
  private final Map<String, String> knownResults;

  private record Rule(Pattern name, String spec, boolean result) {}

  Arguments(InfoFile info) {
    this.word = info.wordSize();
    this.automatic = !info.get("auto-args").equals("0");
    boolean glob = info.get("pattern_type").equals("glob");
    String arguments = info.get("argspec");
    rules(arguments, glob, false);
    rules(info.get("retspec").isEmpty() ? arguments : info.get("retspec"), glob, true);
    knownArguments = byName(info.get("argauto"));
    knownResults = byName(info.get("retauto"));
  }

  private void rules(String text, boolean glob, boolean result) {
    for (String part : text.split(";", -1)) {
      int at = part.indexOf('@');
      if (at > 0 && asked.size() < MOST && part.length() < 1000) {
        asked.add(new Rule(pattern(part.substring(0, at), glob), part.substring(at), result));
      }
    }
  }

  private static Pattern pattern(String name, boolean glob) {
    if (!SPECIAL.matcher(name).find()) {
      return Pattern.compile(Pattern.quote(name));
    }
    if (glob) {
      return Pattern.compile(Pattern.quote(name).replace("*", "\\E.*\\Q").replace("?", "\\E.\\Q"));
    }
    try {
      return Pattern.compile(name.length() > 100 ? Pattern.quote(name) : name);
    } catch (PatternSyntaxException e) {
      return Pattern.compile(Pattern.quote(name));
    }
  }

  private static Map<String, String> byName(String text) {
    Map<String, String> specs = new HashMap<>();
    for (String part : text.split(";", -1)) {
      int at = part.indexOf('@');
      if (at > 0) {
        specs.put(part.substring(0, at), part.substring(at));
      }
    }
    return specs;
  }

  /** Arguments, or results, of a function; empty if they are not known. */
  List<Argument> of(String name, DebugFile.@Nullable Function debug, boolean result) {
    List<Argument> found = new ArrayList<>();
    for (Rule rule : asked) {
      if (rule.result == result && isOf(rule.name, name)) {
        found.addAll(parse(rule.spec, result));
      }
    }
    if (found.isEmpty() && automatic && debug != null) {
      found.addAll(parse(result ? debug.result() : debug.arguments(), result));
    }
    if (found.isEmpty() && automatic) {
      found.addAll(parse((result ? knownResults : knownArguments).getOrDefault(name, ""), result));
    }
    return found;
  }

  private static boolean isOf(Pattern pattern, String name) {
    return pattern.pattern().startsWith("\\Q")
        ? pattern.matcher(name).matches()
        : pattern.matcher(name).find();
  }

  private List<Argument> parse(String spec, boolean result) {
    return Argument.parse(spec, word).stream()
        .filter(argument -> argument.isResult() == result)
        .toList();
  }
}
