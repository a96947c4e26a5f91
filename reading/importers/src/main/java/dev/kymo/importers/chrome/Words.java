package dev.kymo.importers.chrome;

import dev.kymo.format.EventKind;
import dev.kymo.importers.chrome.json.TraceEvent;
import java.util.LinkedHashMap;
import java.util.Map;

/** Phases of events in Kymo's words. */
final class Words {
  private Words() {}

  /** How an event is shown. */
  enum Shape {
    /** A call begins on the thread. */
    BEGIN,
    /** The innermost call of the thread ends. */
    END,
    /** A call with its end. */
    WHOLE,
    /** A call begins on a track of its own. */
    ASYNC_BEGIN,
    ASYNC_END,
    /** Happens on a track of its own. */
    ASYNC_INSTANT,
    COUNTER,
    FLOW_OUT,
    FLOW_STEP,
    FLOW_IN,
    METADATA,
    /** Happens on the thread. */
    INSTANT
  }

  static Shape shape(TraceEvent event) {
    return switch (event.phase()) {
      case "B" -> Shape.BEGIN;
      case "E" -> Shape.END;
      case "X" -> Shape.WHOLE;
      case "b", "S" -> Shape.ASYNC_BEGIN;
      case "e", "F" -> Shape.ASYNC_END;
      case "n", "T", "p" -> Shape.ASYNC_INSTANT;
      case "C" -> Shape.COUNTER;
      case "s" -> Shape.FLOW_OUT;
      case "t" -> Shape.FLOW_STEP;
      case "f" -> Shape.FLOW_IN;
      case "M" -> Shape.METADATA;
      default -> Shape.INSTANT;
    };
  }

  /** What an event becomes, plural. */
  static String became(Shape shape) {
    return switch (shape) {
      case BEGIN, WHOLE, ASYNC_BEGIN -> "calls";
      case END, ASYNC_END -> "ends of calls";
      case COUNTER -> "counters";
      case FLOW_OUT, FLOW_STEP, FLOW_IN -> "messages";
      default -> "events of their own";
    };
  }

  static EventKind kind(Shape shape) {
    return switch (shape) {
      case BEGIN, WHOLE, ASYNC_BEGIN -> EventKind.BEGIN;
      case END, ASYNC_END -> EventKind.END;
      case COUNTER -> EventKind.COUNTER;
      case FLOW_OUT -> EventKind.SEND;
      case FLOW_STEP, FLOW_IN -> EventKind.RECEIVE;
      default -> EventKind.INSTANT;
    };
  }

  /** The name of its kind: what is no slice says what it is. */
  static String name(TraceEvent event) {
    String what =
        switch (event.phase()) {
          case "N" -> "object created";
          case "O" -> "object";
          case "D" -> "object deleted";
          case "P" -> "sample";
          case "R" -> "mark";
          case "V", "v" -> "memory dump";
          case "c" -> "clock sync";
          case "(" -> "context entered";
          case ")" -> "context left";
          case "M" -> "metadata";
          case "B", "E", "X", "i", "I", "C", "b", "n", "e", "S", "T", "p", "F", "s", "t", "f" -> "";
          case "" -> "event without a phase";
          default -> "phase " + event.phase();
        };
    if (event.name().isEmpty()) {
      return what.isEmpty() ? (event.phase().equals("E") ? "end" : "unnamed") : what;
    }
    return what.isEmpty() ? event.name() : what + " " + event.name();
  }

  /** Everything that an event of a kind is shown with; flows have their key beside it. */
  static Map<String, Object> fields(TraceEvent event, Shape shape, Frames frames) {
    Map<String, Object> fields = new LinkedHashMap<>(event.arguments());
    event.more().forEach((field, value) -> fields.putIfAbsent(field, value));
    put(fields, "id", event.id());
    put(fields, "scope", event.scope());
    put(fields, "bind_id", event.bindId());
    if (!event.frame().isEmpty()) {
      fields.putIfAbsent("stack", frames.stack(event.frame()));
    }
    if (shape != Shape.WHOLE && event.hasDuration()) {
      fields.putIfAbsent("dur_ns", event.duration());
    }
    if (shape == Shape.METADATA || shape == Shape.INSTANT) {
      untimed(event, fields);
    }
    return fields;
  }

  private static void untimed(TraceEvent event, Map<String, Object> fields) {
    if (!event.hasTime()) {
      fields.putIfAbsent("untimed", true);
    }
  }

  private static void put(Map<String, Object> fields, String field, String value) {
    if (!value.isEmpty()) {
      fields.putIfAbsent(field, value);
    }
  }
}
