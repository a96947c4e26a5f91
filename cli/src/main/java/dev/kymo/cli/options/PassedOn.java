package dev.kymo.cli.options;

import dev.kymo.cli.terminal.Terminal;
import dev.kymo.model.definitions.RecordedDefinitions;
import dev.kymo.model.definitions.TracedProcess;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Says what other people may not be meant to see, where something is made for them: command lines
 * with arguments, and the environment. What lies in a recording is compressed, nobody would find it
 * by searching.
 */
public final class PassedOn {
  private static final String VARIABLE = "InitialEnvironmentVariable";

  /** A machine's own files: the environment is among them. */
  private static final String MACHINE = "instructions/initrd";

  private PassedOn() {}

  /** Says it of a part or of another form of a recording. */
  public static void say(RecordedDefinitions definitions, Terminal terminal) {
    say(definitions, false, terminal);
  }

  /** Says it of a recording with all the files in its directory. */
  public static void say(RecordedDefinitions definitions, Path directory, Terminal terminal) {
    say(definitions, Files.exists(directory.resolve(MACHINE)), terminal);
  }

  private static void say(RecordedDefinitions definitions, boolean machine, Terminal terminal) {
    long commands = definitions.processes().stream().filter(PassedOn::hasArguments).count();
    boolean environment =
        machine
            || definitions.events().stream()
                .anyMatch(event -> event.definition().name().equals(VARIABLE));
    String lines =
        commands == 1
            ? "the command line of a process"
            : "the command lines of " + commands + " processes";
    if (commands > 0 && environment) {
      terminal.warn(lines + " and environment variables are in it");
    } else if (environment) {
      terminal.warn("environment variables are in it");
    } else if (commands > 0) {
      terminal.warn(
          "%s %s in it; 'kymo info' shows %s"
              .formatted(lines, commands == 1 ? "is" : "are", commands == 1 ? "it" : "them"));
    }
  }

  /** The kernel has a name and a version, which are no command line. */
  private static boolean hasArguments(TracedProcess process) {
    boolean kernel = process.pid() == 0 && process.jvm().isEmpty();
    return !kernel && process.command().indexOf(' ') >= 0;
  }
}
