package dev.kymo.agent.weave;

import dev.kymo.recorder.ProcessRecorder;
import java.lang.instrument.Instrumentation;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Transforms classes again that are already loaded. */
public final class LoadedClasses {
  /**
   * Classes in one transformation: it stops the program, and several short stops are better than
   * one long stop.
   */
  private static final int BATCH = 50;

  private LoadedClasses() {}

  /** Returns how many there were. */
  public static int retransform(
      Instrumentation instrumentation, Predicate<Class<?>> wanted, ProcessRecorder recorder) {
    List<Class<?>> classes = new ArrayList<>();
    for (Class<?> type : instrumentation.getAllLoadedClasses()) {
      if (!type.isArray()
          && !type.isHidden()
          && instrumentation.isModifiableClass(type)
          && wanted.test(type)) {
        classes.add(type);
      }
    }
    for (int i = 0; i < classes.size(); i += BATCH) {
      List<Class<?>> batch = classes.subList(i, Math.min(i + BATCH, classes.size()));
      try {
        instrumentation.retransformClasses(batch.toArray(new Class<?>[0]));
      } catch (Throwable e) {
        oneByOne(instrumentation, batch, recorder);
      }
    }
    return classes.size();
  }

  private static void oneByOne(
      Instrumentation instrumentation, List<Class<?>> batch, ProcessRecorder recorder) {
    for (Class<?> type : batch) {
      try {
        instrumentation.retransformClasses(type);
      } catch (Throwable e) {
        recorder.notice(
            "class cannot be transformed again: class=" + type.getName() + " error=" + e);
      }
    }
  }
}
