package dev.kymo.importers.ctf;

import dev.kymo.importers.ctf.stream.CtfTrace;
import java.util.List;

/** Facts that traces give of where they were recorded. */
final class Environment {
  private Environment() {}

  /** The first text of one of these names; empty if no trace has one. */
  static String first(List<CtfTrace> traces, String... names) {
    for (CtfTrace trace : traces) {
      for (String name : names) {
        String text = trace.classes().environment(name);
        if (!text.isEmpty()) {
          return text;
        }
      }
    }
    return "";
  }

  /** A number; 0 if there is none. */
  static int number(CtfTrace trace, String name) {
    return trace.classes().environment().get(name) instanceof Number number ? number.intValue() : 0;
  }
}
