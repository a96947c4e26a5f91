package dev.kymo.query.library;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A question that is ready to be asked.
 *
 * @param sql the question, in which {@code $name} stands for the value of a parameter
 */
public record ReadyQuestion(
    String name, String description, List<Parameter> parameters, String sql) {
  private static final Pattern DECLARED =
      Pattern.compile("-- (text|number|time) (\\w+) = ([^:]*): (.+)");
  private static final Pattern PLACE = Pattern.compile("\\$(\\w+)");

  /** Reads one: a comment with its description, one for each parameter, and SQL. */
  static ReadyQuestion parse(String name, String text) {
    List<String> lines = text.lines().toList();
    String description = lines.getFirst().substring("-- ".length());
    List<Parameter> parameters = new ArrayList<>();
    int next = 1;
    for (Matcher matcher = DECLARED.matcher(lines.get(next));
        matcher.matches();
        matcher = DECLARED.matcher(lines.get(next))) {
      Parameter.Kind kind =
          Parameter.Kind.valueOf(matcher.group(1).toUpperCase(java.util.Locale.ROOT));
      parameters.add(new Parameter(kind, matcher.group(2), matcher.group(3), matcher.group(4)));
      next++;
    }
    String sql = String.join("\n", lines.subList(next, lines.size()));
    return new ReadyQuestion(name, description, List.copyOf(parameters), sql);
  }

  /**
   * The question with its parameters.
   *
   * @param given values by the names of parameters; the others have their initial ones
   * @throws IllegalArgumentException if there is no such parameter, or if it is no value for it;
   *     with a sentence for the user
   */
  public String sql(Map<String, String> given) {
    for (String each : given.keySet()) {
      if (parameters.stream().noneMatch(parameter -> parameter.name().equals(each))) {
        throw new IllegalArgumentException(
            "question %s has no such parameter: %s; it has: %s".formatted(name, each, names()));
      }
    }
    return PLACE
        .matcher(sql)
        .replaceAll(place -> Matcher.quoteReplacement(value(place.group(1), given)));
  }

  private String value(String name, Map<String, String> given) {
    Parameter parameter =
        parameters.stream().filter(each -> each.name().equals(name)).findFirst().orElseThrow();
    return parameter.literal(given.getOrDefault(name, parameter.initial()));
  }

  private String names() {
    return parameters.isEmpty()
        ? "none"
        : parameters.stream().map(Parameter::name).collect(Collectors.joining(", "));
  }
}
