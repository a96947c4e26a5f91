package dev.kymo.analysis.filter;

import dev.kymo.format.Definition;
import dev.kymo.format.EventFields;
import dev.kymo.format.EventKind;
import dev.kymo.format.FieldType;
import dev.kymo.format.ThreadRecord;
import dev.kymo.model.definitions.RecordedDefinitions;
import dev.kymo.model.definitions.TracedEvent;
import dev.kymo.model.definitions.TracedMethod;
import dev.kymo.model.definitions.TrackKind;
import dev.kymo.reader.EventBatch;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Names and fields of events, each made once: scripts compare them millions of times. */
final class EventNames {
  private static final Map<TrackKind, String> TRACKS = tracks();

  private final RecordedDefinitions definitions;

  /** By number of the method. */
  private @Nullable Name[] ofCalls = {};

  private @Nullable Name[] ofStates = {};

  /**
   * A name.
   *
   * @param of while a recording grows, methods get better names
   */
  private record Name(TracedMethod of, String text) {}

  EventNames(RecordedDefinitions definitions) {
    this.definitions = definitions;
  }

  private static Map<TrackKind, String> tracks() {
    Map<TrackKind, String> words = new EnumMap<>(TrackKind.class);
    for (TrackKind kind : TrackKind.values()) {
      words.put(kind, kind.name().toLowerCase(Locale.ROOT));
    }
    return words;
  }

  static String track(TrackKind kind) {
    return TRACKS.getOrDefault(kind, "");
  }

  /** A method {@code a.B.run}, a state {@code monitor a.Lock}. */
  String of(TracedMethod method, TrackKind kind) {
    boolean call = kind == TrackKind.CALLS || definitions.isEvent(method.id());
    @Nullable Name[] names = call ? ofCalls : ofStates;
    int id = method.id();
    if (id >= names.length) {
      names = Arrays.copyOf(names, Math.max(id + 64, names.length * 2));
      if (call) {
        ofCalls = names;
      } else {
        ofStates = names;
      }
    }
    Name known = names[id];
    if (known == null || !isOf(known, method)) {
      String text =
          call || method.type().isEmpty() || method.name().isEmpty()
              ? method.qualifiedName()
              : method.type() + ' ' + method.name();
      text = text.endsWith(".") ? text.substring(0, text.length() - 1) : text;
      known = new Name(method, text);
      names[id] = known;
    }
    return known.text;
  }

  @SuppressWarnings("ReferenceEquality") // a definition makes a new one
  private static boolean isOf(Name name, TracedMethod method) {
    return name.of == method;
  }

  /** The word for an event of the program's own. */
  static String kind(TracedEvent event) {
    return switch (EventKind.of(event.kind())) {
      case COUNTER -> "counter";
      case SEND -> "send";
      case RECEIVE -> "receive";
      default -> "event";
    };
  }

  /** A field's value; of an event that has only an argument, {@code argument} is its name, too. */
  static @Nullable Object field(TracedEvent event, EventBatch batch, int word, String name) {
    int place = place(event, name);
    if (place < 0) {
      return name.equals("argument") && EventBatch.id(word) == ThreadRecord.EVENT
          ? (Object) batch.argument(word)
          : null;
    }
    List<Object> values = event.values(batch, word);
    Object value = place < values.size() ? values.get(place) : null;
    return switch (value) {
      case byte[] bytes -> EventFields.text(FieldType.BYTES, bytes);
      case Long number when number < 0 && type(event, place) == FieldType.U64 ->
          new BigInteger(Long.toUnsignedString(number));
      case null, default -> value;
    };
  }

  private static FieldType type(TracedEvent event, int place) {
    return event.fields().list().get(place).type();
  }

  static List<String> fields(TracedEvent event) {
    return event.fields().list().stream().map(EventFields.Field::name).toList();
  }

  private static int place(TracedEvent event, String name) {
    List<EventFields.Field> fields = event.fields().list();
    for (int i = 0; i < fields.size(); i++) {
      if (fields.get(i).name().equals(name)) {
        return i;
      }
    }
    return -1;
  }

  /** Number of the processor that a track shows; -1 = it shows something else. */
  static int core(Definition.TracedThread thread) {
    return thread.kind() == Definition.TracedThread.CPU ? thread.tid() : -1;
  }
}
