package dev.kymo.session.system;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;

/**
 * Handles the signals that would end this program. {@code sun.misc.Signal} is the only way, and is
 * called by reflection because the compiler's warning about it cannot be suppressed.
 */
public final class Signals implements AutoCloseable {
  private static final List<String> NAMES = List.of("INT", "TERM", "HUP");

  /** Signals that a program may handle. */
  private static final List<String> FORWARDED =
      List.of("INT", "TERM", "HUP", "USR1", "USR2", "ALRM");

  private static final int QUIT = 3;

  private final List<Runnable> undo = new ArrayList<>();
  private final List<Integer> early = new ArrayList<>();
  private long pid;

  private Signals() {}

  /**
   * Takes the signals for a command that is about to be started, until it is known who gets them:
   * see {@link #to}. An interrupt from the terminal reaches the command anyway, because it is in
   * the same foreground group; so does a quit, on which the virtual machine would print its threads
   * into the command's output.
   *
   * @param inherited signals that are ignored stay so
   */
  public static Signals forward(Inherited inherited) {
    boolean terminal = isTerminal();
    Signals signals = new Signals();
    for (String name : FORWARDED) {
      boolean forward = !(terminal && name.equals("INT"));
      signals.handle(
          name,
          inherited.ignored(),
          number -> {
            if (forward) {
              signals.pass(number);
            }
          });
    }
    Arena arena = Arena.ofShared();
    MemorySegment before = LinuxCalls.ignore(arena, QUIT);
    signals.undo.add(() -> {
      LinuxCalls.restore(QUIT, before);
      arena.close();
    });
    return signals;
  }

  /** Passes signals on to this process, first those that have come already. */
  public synchronized void to(long process) {
    pid = process;
    early.forEach(this::pass);
    early.clear();
  }

  private synchronized void pass(int signal) {
    if (pid == 0) {
      early.add(signal);
    } else {
      LinuxCalls.kill(pid, signal);
    }
  }

  /** Runs an action instead of ending the program. */
  public static Signals onEnd(Runnable action) {
    return onEndBy(_ -> action.run());
  }

  /** Runs an action, which is told the signal's number, instead of ending the program. */
  public static Signals onEndBy(IntConsumer action) {
    Signals signals = new Signals();
    NAMES.forEach(name -> signals.handle(name, 0, action));
    return signals;
  }

  @Override
  public void close() {
    undo.forEach(Runnable::run);
  }

  private void handle(String name, long ignored, IntConsumer action) {
    try {
      Class<?> signalType = Class.forName("sun.misc.Signal");
      Class<?> handlerType = Class.forName("sun.misc.SignalHandler");
      Object signal = signalType.getConstructor(String.class).newInstance(name);
      Method number = signalType.getMethod("getNumber");
      int bit = (int) number.invoke(signal) - 1;
      if (((ignored >> bit) & 1) != 0) {
        return;
      }
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
