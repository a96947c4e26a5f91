package dev.kymo.cli.mcp;

import dev.kymo.cli.terminal.Nanos;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.TypeConversionException;

/**
 * The arguments that a tool was given. Programs may give numbers as texts, and texts as numbers.
 */
final class Given {
  private final Map<String, Object> values;

  /**
   * Looks whether all of it is known, and all that is needed is there.
   *
   * @throws MistakeException if not
   */
  Given(@Nullable Map<String, Object> values, List<Tool.Argument> known) {
    this.values = values == null ? Map.of() : values;
    for (String name : this.values.keySet()) {
      if (known.stream().noneMatch(each -> each.name().equals(name))) {
        throw new MistakeException(
            "no such argument: %s; there are %s"
                .formatted(name, known.stream().map(Tool.Argument::name).toList()));
      }
    }
    for (Tool.Argument argument : known) {
      if (argument.required() && text(argument.name()).isEmpty()) {
        throw new MistakeException("an argument is missing: " + argument.name());
      }
    }
  }

  Optional<String> text(String name) {
    Object value = values.get(name);
    return value == null || value.toString().isEmpty()
        ? Optional.empty()
        : Optional.of(value.toString());
  }

  boolean isSet(String name) {
    return text(name).filter(Boolean::parseBoolean).isPresent();
  }

  long number(String name, long usual, long least, long most) {
    Optional<String> text = text(name);
    if (text.isEmpty()) {
      return usual;
    }
    try {
      long number = Long.parseLong(text.get());
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      // is told below
    }
    throw new MistakeException(
        "not a number from %d to %d: %s=%s".formatted(least, most, name, text.get()));
  }

  /** A time in nanoseconds, or the usual one. */
  long time(String name, long usual) {
    try {
      return text(name).map(text -> new Nanos.Converter().convert(text).value()).orElse(usual);
    } catch (TypeConversionException e) {
      throw new MistakeException(name + ": " + e.getMessage());
    }
  }
}
