package dev.kymo.cli;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;

/**
 * Takes the signals that would end this program. {@code sun.misc.Signal} is the only way there is,
 * and is called by reflection because the compiler cannot be kept from warning of it.
 */
final class Signals implements AutoCloseable {
  private static final List<String> NAMES = List.of("INT", "TERM", "HUP");

  private final List<Runnable> undo = new ArrayList<>();

  private Signals() {}

  /**
   * Passes signals on to a process. An interrupt from the terminal reaches it anyway, because it is
   * in the same foreground group.
   */
  static Signals forwardTo(long pid) {
    boolean terminal = isTerminal();
    Signals signals = new Signals();
    for (String name : NAMES) {
      boolean forward = !(terminal && name.equals("INT"));
      signals.handle(
          name,
          number -> {
            if (forward) {
              kill(pid, number);
            }
          });
    }
    return signals;
  }

  /** Runs an action instead of ending the program. */
  static Signals onEnd(Runnable action) {
    Signals signals = new Signals();
    NAMES.forEach(name -> signals.handle(name, _ -> action.run()));
    return signals;
  }

  /** Sends a signal. */
  static void kill(long pid, int signal) {
    Linker linker = Linker.nativeLinker();
    MethodHandle kill =
        linker.downcallHandle(
            linker.defaultLookup().find("kill").orElseThrow(),
            FunctionDescriptor.of(
                ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
    try {
      int _ = (int) kill.invokeExact((int) pid, signal); // it may be gone: nothing to do then
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    undo.forEach(Runnable::run);
  }

  private void handle(String name, IntConsumer action) {
    try {
      Class<?> signalType = Class.forName("sun.misc.Signal");
      Class<?> handlerType = Class.forName("sun.misc.SignalHandler");
      Object signal = signalType.getConstructor(String.class).newInstance(name);
      Method number = signalType.getMethod("getNumber");
      Method handle = signalType.getMethod("handle", signalType, handlerType);
      Object handler =
          Proxy.newProxyInstance(
              Signals.class.getClassLoader(),
              new Class<?>[] {handlerType},
              (proxy, method, arguments) -> {
                if (method.getName().equals("handle")) {
                  action.accept((int) number.invoke(arguments[0]));
                }
                return null;
              });
      Object before = handle.invoke(null, signal, handler);
      undo.add(() -> {
        try {
          handle.invoke(null, signal, before);
        } catch (ReflectiveOperationException e) {
          throw new IllegalStateException(e);
        }
      });
    } catch (ReflectiveOperationException e) {
      // the signal is ignored (nohup), or taken by the virtual machine (-Xrs): leave it so
    }
  }

  @SuppressWarnings("SystemConsoleNull") // jdk.console may be set so that there is none
  private static boolean isTerminal() {
    return System.console() != null && System.console().isTerminal();
  }
}
