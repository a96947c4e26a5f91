package dev.kymo.api;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The way to the recorder, which the agent puts into the boot loader: together with the program, or
 * at any later time. The two share only the JDK's classes.
 */
final class Link {
  private static final String RECORDER = "dev.kymo.recorder.userevents.UserEvents";

  /** Subsystems that no recorder knows yet. Guarded by this class. */
  private static final List<Object[]> WAITING = new ArrayList<>();

  private Link() {}

  /** Makes a subsystem known to the recorder, now or when there is a recorder. */
  static synchronized void define(Object[] subsystem) {
    WAITING.add(subsystem);
    connect();
  }

  static synchronized void connect() {
    Class<?> recorder = recorder();
    if (recorder == null) {
      return;
    }
    try {
      MethodHandle define = find(recorder, "define", void.class, Object[].class);
      for (Object[] subsystem : WAITING) {
        define.invoke(subsystem);
      }
      WAITING.clear();
    } catch (Throwable e) {
      throw new IllegalStateException("the recorder does not fit this version of the API", e);
    }
  }

  static @Nullable Class<?> recorder() {
    try {
      return Class.forName(RECORDER, true, null);
    } catch (ClassNotFoundException e) {
      return null;
    }
  }

  private static MethodHandle find(
      Class<?> recorder, String name, Class<?> returns, Class<?>... parameters)
      throws ReflectiveOperationException {
    return MethodHandles.publicLookup()
        .findStatic(recorder, name, MethodType.methodType(returns, parameters));
  }

  /** Used only when an event is to be recorded, so that a recorder is there. */
  static final class Recorder {
    private static final MethodHandle RECORD = of("record", void.class, int.class, long.class);
    private static final MethodHandle DATA =
        of("data", void.class, int.class, byte[].class, int.class);
    private static final MethodHandle ENTER = of("enter", void.class, int.class);
    private static final MethodHandle LEAVE = of("leave", void.class, int.class);
    private static final MethodHandle CONTROL = of("control", String.class, String.class);

    private Recorder() {}

    private static MethodHandle of(String name, Class<?> returns, Class<?>... parameters) {
      try {
        Class<?> recorder = recorder();
        if (recorder == null) {
          throw new IllegalStateException("there is no recorder");
        }
        return find(recorder, name, returns, parameters);
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException("the recorder does not fit this version of the API", e);
      }
    }

    static void record(int event, long argument) {
      try {
        RECORD.invokeExact(event, argument);
      } catch (Throwable e) {
        throw failed(e);
      }
    }

    static void data(int event, byte[] data, int length) {
      try {
        DATA.invokeExact(event, data, length);
      } catch (Throwable e) {
        throw failed(e);
      }
    }

    static void enter(int event) {
      try {
        ENTER.invokeExact(event);
      } catch (Throwable e) {
        throw failed(e);
      }
    }

    static void leave(int event) {
      try {
        LEAVE.invokeExact(event);
      } catch (Throwable e) {
        throw failed(e);
      }
    }

    static String control(String command) {
      try {
        return (String) CONTROL.invokeExact(command);
      } catch (Throwable e) {
        throw failed(e);
      }
    }

    private static RuntimeException failed(Throwable e) {
      if (e instanceof Error error) {
        throw error;
      }
      return new IllegalStateException(e);
    }
  }
}
