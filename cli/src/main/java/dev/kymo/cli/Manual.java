package dev.kymo.cli;

import dev.kymo.cli.terminal.Terminal;
import dev.kymo.drain.Version;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/**
 * Writes what a package has beside the program, made of the commands' options: a page of the manual
 * for each command, the completion of command lines for bash, and the site's {@link Reference}.
 */
final class Manual {
  private static final String PAGES = "man1";
  private static final String COMPLETION = "kymo.bash";
  private static final String REFERENCE = "reference";

  private final Path folder;
  private final List<String> lines = new ArrayList<>();

  private Manual(Path folder) {
    this.folder = folder;
  }

  /**
   * Writes {@code man1/NAME.1}, {@code kymo.bash}, and {@code reference/NAME.md} for the site, into
   * the folder that is named.
   */
  public static void main(String[] args) throws IOException {
    Path folder = Path.of(args[0]);
    Files.createDirectories(folder.resolve(PAGES));
    Terminal nobody =
        new Terminal(
            OutputStream.nullOutputStream(), new PrintStream(OutputStream.nullOutputStream()));
    CommandLine all = new CommandLine(Main.toDescribe());
    Commands.add(all, args, nobody);
    new Manual(folder).write(all.getCommandSpec());
    new Reference(folder.resolve(REFERENCE)).write(all.getCommandSpec());
    Files.writeString(folder.resolve(COMPLETION), AutoComplete.bash("kymo", all));
  }

  private static String name(CommandSpec command) {
    return command.qualifiedName("-");
  }

  /** The commands of a command that are shown. */
  static List<CommandSpec> parts(CommandSpec command) {
    return command.subcommands().values().stream()
        .map(CommandLine::getCommandSpec)
        .filter(part -> !part.usageMessage().hidden())
        .toList();
  }

  private void write(CommandSpec command) throws IOException {
    List<CommandSpec> parts = parts(command);
    lines.clear();
    page(command, parts);
    Files.write(folder.resolve(PAGES).resolve(name(command) + ".1"), lines, StandardCharsets.UTF_8);
    for (CommandSpec part : parts) {
      write(part);
    }
  }

  private void page(CommandSpec command, List<CommandSpec> parts) {
    String name = name(command);
    List<String> description = List.of(command.usageMessage().description());
    lines.add(
        ".TH \"%s\" 1 \"\" \"Kymo %s\" \"Kymo\""
            .formatted(name.toUpperCase(Locale.ROOT), Version.TEXT));
    lines.add(".SH NAME");
    String first = text(sentence(description));
    lines.add(text(name) + " \\- " + first);
    lines.add(".SH SYNOPSIS");
    lines.add(".nf");
    String synopsis = new Help(command, Help.Ansi.OFF).synopsis(0);
    synopsis.strip().lines().forEach(line -> lines.add(".B " + text(line.strip())));
    lines.add(".fi");
    lines.add(".SH DESCRIPTION");
    lines.add(text(joined(description)));
    if (!command.positionalParameters().isEmpty()) {
      lines.add(".SH ARGUMENTS");
      for (PositionalParamSpec argument : command.positionalParameters()) {
        if (!argument.hidden()) {
          entry(argument.paramLabel(), argument.description());
        }
      }
    }
    lines.add(".SH OPTIONS");
    for (OptionSpec option : command.options()) {
      if (!option.hidden()) {
        entry(label(option), option.description());
      }
    }
    if (!parts.isEmpty()) {
      lines.add(".SH COMMANDS");
      for (CommandSpec part : parts) {
        entry(part.name(), part.usageMessage().description());
      }
    }
    lines.add(".SH SEE ALSO");
    lines.add(seeAlso(command, parts));
  }

  private static String seeAlso(CommandSpec command, List<CommandSpec> parts) {
    List<String> others = new ArrayList<>();
    if (command.parent() != null) {
      others.add(name(command.parent()));
    }
    parts.forEach(part -> others.add(name(part)));
    return String.join(",\n", others.stream().map(other -> ".BR " + text(other) + " (1)").toList())
        .replace("(1),", "(1) ,");
  }

  private void entry(String name, String[] description) {
    lines.add(".TP");
    lines.add(".B " + text(name));
    lines.add(text(joined(List.of(description))));
  }

  /** An option's names, with what follows them. */
  static String label(OptionSpec option) {
    String value = option.typeInfo().isBoolean() ? "" : " " + option.paramLabel();
    return String.join(", ", option.names()) + value;
  }

  /** The first sentence, without its full stop. */
  static String sentence(List<String> description) {
    String all = joined(description);
    int end = all.indexOf(". ");
    return end < 0 ? all.replaceFirst("\\.$", "") : all.substring(0, end);
  }

  static String joined(List<String> description) {
    return String.join(" ", description).replace("%n", " ").replace("%%", "%").strip();
  }

  /** Text as it is, for roff. */
  private static String text(String text) {
    String safe = text.replace("\\", "\\e").replace("-", "\\-");
    return safe.startsWith(".") || safe.startsWith("'") ? "\\&" + safe : safe;
  }
}
