package dev.kymo.agent;

import dev.kymo.recorder.Messages;
import java.lang.instrument.Instrumentation;

/**
 * Tells the API for events of a program's own that there is a recorder now, if the program has
 * loaded it; perhaps several times, in several class loaders. One that is loaded later finds the
 * recorder by itself.
 */
final class OwnEventsOfProgram {
  private static final String API = "dev.kymo.api.Events";

  private OwnEventsOfProgram() {}

  static void connect(Instrumentation instrumentation) {
    for (Class<?> type : instrumentation.getAllLoadedClasses()) {
      if (type.getName().equals(API)) {
        try {
          type.getMethod("connect").invoke(null);
        } catch (ReflectiveOperationException | LinkageError e) {
          Messages.print("events of the program's own are not recorded: error=" + e);
        }
      }
    }
  }
}
