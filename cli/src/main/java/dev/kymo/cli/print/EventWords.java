package dev.kymo.cli.print;

import dev.kymo.analysis.cause.StateText;
import dev.kymo.analysis.events.CallLocations;
import dev.kymo.analysis.names.Aliases;
import dev.kymo.analysis.names.ThreadNames;
import dev.kymo.format.Definition;
import dev.kymo.format.EventFields;
import dev.kymo.format.FieldType;
import dev.kymo.format.ThreadRecord;
import dev.kymo.model.definitions.RecordedDefinitions;
import dev.kymo.model.definitions.TracedEvent;
import dev.kymo.model.definitions.TracedMethod;
import dev.kymo.model.definitions.TrackKind;
import dev.kymo.reader.EventBatch;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Puts events of threads into words. */
final class EventWords {
  private static final String[] NAMES = {"enter", "leave", "unwind", "switch", "detail"};

  private final RecordedDefinitions definitions;
  private final Aliases aliases;
  private final CallLocations places;

  EventWords(RecordedDefinitions definitions, Aliases aliases, CallLocations places) {
    this.definitions = definitions;
    this.aliases = aliases;
    this.places = places;
  }

  String event(EventBatch batch, int word) {
    return EventBatch.isEvent(word) ? own(batch, word).qualifiedName() : NAMES[EventBatch.id(word)];
  }

  /** To what, or with what data. */
  String subject(EventBatch batch, int word) {
    int process = batch.process();
    int payload = EventBatch.payload(word);
    return switch (EventBatch.id(word)) {
      case ThreadRecord.SWITCH -> thread(process, payload);
      case ThreadRecord.DETAIL -> detail(process, batch.details()[payload]);
      case ThreadRecord.EVENT, ThreadRecord.EVENT_DATA ->
          aliases.text(batch, word, own(batch, word));
      default -> {
        TracedMethod method = method(batch, word);
        yield kind(batch) == TrackKind.CALLS ? method.qualifiedName() : StateText.name(method);
      }
    };
  }

  /** Whether the place is the subject: of calls. */
  boolean isPlaced(EventBatch batch, int word) {
    return kind(batch) == TrackKind.CALLS
        && EventBatch.id(word) <= ThreadRecord.UNWIND
        && method(batch, word).equals(places.of(batch, word));
  }

  /** Where in the program; empty = unknown. */
  String place(EventBatch batch, int word) {
    TracedMethod place = places.of(batch, word);
    return kind(batch) == TrackKind.CPU && place != null ? StateText.name(place) : symbol(place);
  }

  /** A method, and where it is in the source: {@code a.B.run(B.java:12)}. */
  static String symbol(@Nullable TracedMethod method) {
    if (method == null) {
      return "";
    }
    String name = method.qualifiedName();
    if (method.source().isEmpty()) {
      return name;
    }
    String line = method.line() > 0 ? ":" + method.line() : "";
    return name + '(' + method.source() + line + ')';
  }

  /** A raw line's columns from the kind on. */
  void raw(EventBatch batch, int word, StringBuilder to) {
    int payload = EventBatch.payload(word);
    switch (EventBatch.id(word)) {
      case ThreadRecord.SWITCH -> {
        RawFormat.cells(to, NAMES[ThreadRecord.SWITCH], Integer.toString(payload), "", "");
        to.append('-');
      }
      case ThreadRecord.DETAIL -> {
        RawFormat.cells(to, NAMES[ThreadRecord.DETAIL], "", "", "");
        to.append("0x").append(Long.toHexString(batch.details()[payload]));
      }
      case ThreadRecord.EVENT -> {
        raw("event", batch.event(word), own(batch, word), to);
        to.append("0x").append(Long.toHexString(batch.argument(word)));
      }
      case ThreadRecord.EVENT_DATA -> {
        raw("data", batch.event(word), own(batch, word), to);
        ByteBuffer data = batch.data(word);
        byte[] bytes = new byte[data.remaining()];
        data.get(bytes);
        to.append(bytes.length == 0 ? "-" : EventFields.text(FieldType.BYTES, bytes));
      }
      default -> {
        raw(NAMES[EventBatch.id(word)], payload, definedOwn(method(batch, word)), to);
        to.append('-');
      }
    }
  }

  private static void raw(String kind, int number, @Nullable TracedEvent event, StringBuilder to) {
    RawFormat.cells(
        to,
        kind,
        Integer.toString(number),
        event == null ? "" : Integer.toString(event.subsystem().id()),
        event == null ? "" : Integer.toString(event.definition().id()));
  }

  /** The event of the program's own that something is of. */
  TracedEvent own(EventBatch batch, int word) {
    return definitions.event(ownMethod(batch, word).id());
  }

  /** The same as a method. */
  TracedMethod ownMethod(EventBatch batch, int word) {
    return definitions.methods().get(batch.process(), batch.event(word));
  }

  /** What is entered or left. */
  TracedMethod method(EventBatch batch, int word) {
    return definitions.methods().get(batch.process(), EventBatch.payload(word));
  }

  private @Nullable TracedEvent definedOwn(TracedMethod method) {
    return definitions.isEvent(method.id()) ? definitions.event(method.id()) : null;
  }

  private TrackKind kind(EventBatch batch) {
    return TrackKind.of(definitions.threadOrNameless(batch.process(), batch.thread()));
  }

  private String thread(int process, int thread) {
    Definition.TracedThread known = aliases.of(definitions.threadOrNameless(process, thread));
    return known.name().isEmpty() ? ThreadNames.numbered(known) : known.name();
  }

  private String detail(int process, long detail) {
    int other = ThreadRecord.detailOther(detail);
    int object = ThreadRecord.detailObject(detail);
    String name = aliases.object(process, Integer.toUnsignedLong(object));
    return "object="
        + Objects.requireNonNullElseGet(name, () -> Integer.toHexString(object))
        + (other == 0 ? "" : " other=" + thread(process, other));
  }

  /** Stands for a process as a whole. */
  static Definition.TracedThread processAsAWhole() {
    return new Definition.TracedThread(0, 0, 0, 0, "");
  }
}
