package dev.kymo.agent;

import dev.kymo.recorder.platform.Messages;
import java.lang.instrument.Instrumentation;

/**
 * Connects the API for a program's own events to the recorder, if the program has loaded the API,
 * perhaps several times, in several class loaders. An API that is loaded later finds the recorder
 * by itself.
 */
final class UserEventLink {
  private static final String API = "dev.kymo.api.Events";

  private UserEventLink() {}

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
