package dev.kymo.recorder.messages;

import dev.kymo.format.EventKind;
import dev.kymo.recorder.platform.RecorderWork;
import dev.kymo.recorder.platform.WeakObjects;
import dev.kymo.recorder.ring.Probe;
import dev.kymo.recorder.userevents.UserEvents;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The methods that JDBC's statements and connections call, whoever's they are: executing a
 * statement is a span with its text. What executes it by way of another one, as pools and wrappers
 * do, has the same text, and is the same statement: there is one span, that of the outermost.
 *
 * <p>Classes that only look like JDBC's are woven as well; whether an object is one of JDBC's is
 * asked here. Nothing is thrown.
 */
public final class Statements {
  /** What {@link #begin} returns if nothing has begun that {@link #end} must end. */
  private static final int NOTHING = 0;

  private static final int BEGUN = 1;

  private static final int LONGEST = 4000;
  private static final String CUT = "...";

  /** The event's number, 0 if it is not recorded; {@link UserEvents} writes it. */
  private static final int[] NUMBER = new int[1];

  private static final WeakObjects<String> PREPARED = new WeakObjects<>();

  /** What statements have in their batches. */
  private static final WeakObjects<String> BATCHES = new WeakObjects<>();

  private static final ThreadLocal<@Nullable Running> RUNNING = new ThreadLocal<>();

  private static final ClassValue<Boolean> ARE_STATEMENTS =
      new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
          return isA(type, "java.sql.Statement");
        }
      };

  private static boolean defined;
  private static volatile boolean on;

  /** A statement that a thread executes, inside of another one. */
  private record Running(@Nullable Running outer, String text) {}

  private Statements() {}

  /** Defines the event; from now on statements are recorded. */
  public static synchronized void switchOn() {
    if (!defined) {
      defined = true;
      Object[] event = {
        0, "statement", EventKind.BEGIN.number(), "", "A statement is executed", "str text;"
      };
      UserEvents.define(new Object[] {"jdbc", 0, "database", "", new Object[][] {event}, NUMBER});
    }
    on = true;
  }

  public static void switchOff() {
    on = false;
    PREPARED.clear();
    BATCHES.clear();
  }

  /** Whether a class is a type of this name, has it as interface, or inherits it. */
  public static boolean isA(Class<?> type, String name) {
    for (Class<?> of = type; of != null; of = of.getSuperclass()) {
      if (of.getName().equals(name)) {
        return true;
      }
      for (Class<?> parent : of.getInterfaces()) {
        if (isA(parent, name)) {
          return true;
        }
      }
    }
    return false;
  }

  public static void prepared(@Nullable Object statement, @Nullable String text) {
    if (!on || statement == null || text == null) {
      return;
    }
    boolean begun = false;
    try {
      begun = RecorderWork.begin();
      PREPARED.put(statement, cut(text));
    } catch (Throwable e) {
      Probe.fail(e);
    } finally {
      RecorderWork.end(begun);
    }
  }

  /**
   * Something is added to a statement's batch.
   *
   * @param text null: the batch is emptied
   */
  public static void batched(Object statement, @Nullable String text) {
    if (!on) {
      return;
    }
    boolean begun = false;
    try {
      begun = RecorderWork.begin();
      String before = BATCHES.get(statement);
      if (text == null) {
        BATCHES.remove(statement);
      } else if (before == null) {
        BATCHES.put(statement, cut(text));
      } else if (before.length() < LONGEST) {
        BATCHES.put(statement, cut(before + "; " + text));
      }
    } catch (Throwable e) {
      Probe.fail(e);
    } finally {
      RecorderWork.end(begun);
    }
  }

  /**
   * An object begins to execute.
   *
   * @param given text that it executes; null for what it was prepared with, or its batch
   * @return to be handed to {@link #end}
   */
  public static int begin(Object statement, @Nullable String given) {
    try {
      int number = NUMBER[0];
      if (!on || number == 0) {
        return NOTHING;
      }
      byte[] data = data(statement, given);
      if (data == null) {
        return NOTHING;
      }
      UserEvents.enter(number);
      UserEvents.data(Math.abs(number), data, data.length); // its begin has triggered what it does
      return BEGUN;
    } catch (Throwable e) {
      Probe.fail(e);
      return NOTHING;
    }
  }

  /** The data of the event, when the statement is the thread's innermost one; null for no event. */
  private static byte @Nullable [] data(Object statement, @Nullable String given) {
    boolean begun = RecorderWork.begin();
    try {
      if (!ARE_STATEMENTS.get(statement.getClass())) {
        return null;
      }
      String text = given == null ? known(statement) : cut(given);
      Running outer = RUNNING.get();
      if (outer != null && (text.isEmpty() || text.equals(outer.text))) {
        return null;
      }
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      byte[] data = new byte[Short.BYTES + bytes.length];
      data[0] = (byte) bytes.length;
      data[1] = (byte) (bytes.length >> Byte.SIZE);
      System.arraycopy(bytes, 0, data, Short.BYTES, bytes.length);
      RUNNING.set(new Running(outer, text));
      return data;
    } finally {
      RecorderWork.end(begun);
    }
  }

  /** What a statement was prepared with, or has in its batch, which is executed once. */
  private static String known(Object statement) {
    String text = PREPARED.get(statement);
    if (text == null) {
      text = BATCHES.remove(statement);
    }
    return text == null ? "" : text;
  }

  private static String cut(String text) {
    return text.length() <= LONGEST ? text : text.substring(0, LONGEST) + CUT;
  }

  /** It has executed, or failed. */
  public static void end(int begun) {
    if (begun == NOTHING) {
      return;
    }
    try {
      Running running = RUNNING.get();
      if (running == null || running.outer == null) {
        RUNNING.remove();
      } else {
        RUNNING.set(running.outer);
      }
      int number = NUMBER[0];
      if (number != 0) {
        UserEvents.leave(number);
      }
    } catch (Throwable e) {
      Probe.fail(e);
    }
  }
}
