package dev.kymo.cli.mcp;

import dev.kymo.analysis.selection.Progress;
import java.io.IOException;
import java.sql.SQLException;
import java.util.List;

/** Something that a program can ask for. To add one, write a class and a line in {@link Tools}. */
interface Tool {
  /** Name of the argument that says how long it may take. */
  String SECONDS = "seconds";

  int MOST_SECONDS = 3600;

  String name();

  /** How long it may take if nothing is said. */
  default int seconds() {
    return 600;
  }

  /** How long it may take; what is wrong with the argument is said by {@link Given}. */
  default int seconds(String given) {
    return given.matches("\\d{1,4}")
        ? Math.clamp(Integer.parseInt(given), 1, MOST_SECONDS)
        : seconds();
  }

  /** For the program that asks: what it gets, and when that is of use. */
  String description();

  /** What it may be given, beside the recording. */
  List<Argument> arguments();

  /**
   * Answers.
   *
   * @param given what was given, already compared with {@link #arguments}
   * @param progress says whether the answer is still wanted
   * @throws MistakeException if the question is wrong; its message goes to who asked
   */
  Answer answer(OpenRecording recording, Given given, Progress progress)
      throws IOException, SQLException;

  /**
   * What a tool may be given.
   *
   * @param type as JSON schemas have it: string, integer, boolean
   */
  record Argument(String name, String type, boolean required, String meaning) {
    static Argument text(String name, String meaning) {
      return new Argument(name, "string", false, meaning);
    }

    static Argument number(String name, String meaning) {
      return new Argument(name, "integer", false, meaning);
    }
  }

  /**
   * An answer.
   *
   * @param png a picture; empty = there is none
   */
  @SuppressWarnings("ArrayRecordComponent") // nobody compares answers
  record Answer(String text, byte[] png, boolean isError) {
    static Answer of(String text) {
      return new Answer(text, new byte[0], false);
    }

    static Answer error(String text) {
      return new Answer(text, new byte[0], true);
    }
  }
}
