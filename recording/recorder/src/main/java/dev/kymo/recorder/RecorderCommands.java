package dev.kymo.recorder;

import dev.kymo.recorder.userevents.UserEvents;

/**
 * The commands to the recorder of a process, from inside it or by {@code kymo ctl}: one line each.
 * An answer that begins with {@code error: } gives the reason why nothing was done.
 */
final class RecorderCommands {
  private RecorderCommands() {}

  /**
   * Executes a line; returns the answer.
   *
   * @param by who gave the command
   */
  static String execute(ProcessRecorder recorder, String line, String by) {
    String command = line.strip();
    int space = command.indexOf(' ');
    String verb = space < 0 ? command : command.substring(0, space);
    String rest = space < 0 ? "" : command.substring(space + 1).strip();
    try {
      return execute(recorder, verb, rest, by);
    } catch (IllegalArgumentException e) {
      return "error: " + e.getMessage();
    }
  }

  private static String execute(ProcessRecorder recorder, String verb, String rest, String by) {
    return switch (verb) {
      case "enable", "disable" -> enable(rest, verb.equals("enable"));
      case "level" -> level(recorder, rest);
      case "start" -> {
        recorder.resume();
        yield "recording";
      }
      case "stop" -> {
        recorder.pause(by);
        yield "stopped";
      }
      case "snapshot" -> snapshot(recorder);
      case "flush" ->
          recorder.flush() ? "flushed" : "error: the recorder does not answer, it may be gone";
      case "status" -> status(recorder);
      default -> throw new IllegalArgumentException("no such command: command=" + verb);
    };
  }

  private static String enable(String patterns, boolean on) {
    int count = 0;
    StringBuilder hints = new StringBuilder();
    for (String pattern : patterns.split("[,\\s]+", -1)) {
      int named = UserEvents.enable(pattern, on);
      if (named == 0) {
        hints
            .append("\nno such event exists yet, this applies to later ones: event=")
            .append(pattern)
            .append("; status names the existing events");
      }
      count += named;
    }
    return (on ? "on" : "off") + ": " + count + (count == 1 ? " event" : " events") + hints;
  }

  private static String level(ProcessRecorder recorder, String name) {
    recorder.level(Level.of(name));
    return "level: " + name;
  }

  private static String snapshot(ProcessRecorder recorder) {
    if (!recorder.isFlightRecorder()) {
      throw new IllegalArgumentException(
          "there is no flight recorder to take a snapshot of; record with --when-full overwrite");
    }
    recorder.snapshot();
    return "snapshot asked for";
  }

  private static String status(ProcessRecorder recorder) {
    return (recorder.isPaused() ? "stopped" : "recording")
        + ", level "
        + recorder.level().text()
        + "\n"
        + UserEvents.list();
  }
}
