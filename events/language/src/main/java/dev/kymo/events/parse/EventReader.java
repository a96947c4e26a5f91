package dev.kymo.events.parse;

import dev.kymo.events.Event;
import dev.kymo.events.Field;
import dev.kymo.events.Place;
import dev.kymo.format.EventKind;
import dev.kymo.format.FieldType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.antlr.v4.runtime.Token;
import org.jspecify.annotations.Nullable;

/** From the parser's tree to the events of one subsystem. */
final class EventReader {
  /** A Java method has at most 255 words of parameters, and a long takes two. */
  private static final int MOST_FIELDS = 100;

  private final Problems problems;
  private final Texts texts;
  private final Names names;
  private final Ids ids;

  EventReader(Problems problems, Texts texts, boolean complete) {
    this.problems = problems;
    this.texts = texts;
    this.names = new Names(problems, "event");
    this.ids = new Ids(problems, "event", complete);
  }

  List<Event> read(List<DefinitionParser.EventContext> trees) {
    List<Event> events = new ArrayList<>(trees.size());
    for (DefinitionParser.EventContext tree : trees) {
      Token name = Names.token(tree.NAME());
      if (name != null) {
        names.add(name);
        events.add(event(tree, name));
      }
    }
    return events;
  }

  private Event event(DefinitionParser.EventContext tree, Token name) {
    int id = ids.id(name, FileReader.idOf(tree.id()));
    Place place = Problems.place(name);
    EventKind kind = EventKind.INSTANT;
    String begin = "";
    Token word = tree.kind() == null ? null : Names.token(tree.kind().NAME(0));
    if (word != null) {
      Token target = Names.token(tree.kind().NAME(1));
      kind = kind(word, target);
      begin = target == null ? "" : target.getText();
    }
    String description = texts.decode(tree.text());
    List<Field> fields =
        tree.payload() == null ? ofKind(kind, place) : fields(tree.payload().field());
    if (tree.payload() != null) {
      check(kind, fields, tree.payload().start);
    }
    return new Event(
        name.getText(),
        id,
        kind,
        begin,
        description.isEmpty() ? name.getText() : description,
        tree.payload() == null && kind == EventKind.INSTANT,
        fields,
        place);
  }

  private EventKind kind(Token word, @Nullable Token target) {
    Optional<EventKind> kind = EventKind.of(word.getText());
    if (kind.isEmpty()) {
      problems.add(
          word,
          "unknown kind '%s': expected %s, or the description"
              .formatted(word.getText(), Words.kinds()));
      return EventKind.INSTANT;
    }
    if (kind.get() == EventKind.END && target == null) {
      problems.add(word, "'end' does not name the event that it ends: expected end EVENTNAME");
    }
    if (kind.get() != EventKind.END && target != null) {
      problems.add(
          target,
          "only 'end' is followed by a name: expected the description, found '%s'"
              .formatted(target.getText()));
    }
    return kind.get();
  }

  /** The fields of an event of a kind if the file gives none. */
  private static List<Field> ofKind(EventKind kind, Place place) {
    return switch (kind) {
      case INSTANT, BEGIN, END -> List.of();
      case COUNTER -> List.of(new Field(FieldType.I64, "value", place));
      case SEND, RECEIVE -> List.of(new Field(FieldType.U64, "key", place));
    };
  }

  private List<Field> fields(List<DefinitionParser.FieldContext> trees) {
    Names fieldNames = new Names(problems, "field");
    List<Field> fields = new ArrayList<>();
    for (DefinitionParser.FieldContext tree : trees) {
      Token type = Names.token(tree.NAME(0));
      Token name = Names.token(tree.NAME(1));
      if (type == null || name == null) {
        continue;
      }
      fieldNames.add(name);
      Optional<FieldType> known = FieldType.of(type.getText());
      if (known.isEmpty()) {
        problems.add(
            type, "unknown type '%s': expected %s".formatted(type.getText(), FieldType.words()));
      }
      // A wrong type is reported once: U64 is valid for every kind.
      fields.add(new Field(known.orElse(FieldType.U64), name.getText(), Problems.place(type)));
    }
    return List.copyOf(fields);
  }

  private void check(EventKind kind, List<Field> fields, Token payload) {
    if (fields.size() > MOST_FIELDS) {
      problems.add(
          payload, "too many fields: count=%d most=%d".formatted(fields.size(), MOST_FIELDS));
    }
    boolean message = kind == EventKind.SEND || kind == EventKind.RECEIVE;
    boolean right =
        kind == EventKind.COUNTER
            ? fields.size() == 1 && fields.get(0).type().isNumber()
            : !message || (!fields.isEmpty() && fields.get(0).type().isInteger());
    if (!right) {
      problems.add(
          fields.isEmpty() ? Problems.place(payload) : wrong(kind, fields).place(),
          message
              ? "a message needs a key: expected a field of a type u8 to u64 or i8 to i64 first"
              : "a counter has one value: expected exactly one field, of a type u8 to u64, i8 to"
                  + " i64, f32 or f64");
    }
  }

  /** The wrong field: for a counter the second if the first is right. */
  private static Field wrong(EventKind kind, List<Field> fields) {
    Field first = fields.get(0);
    return kind == EventKind.COUNTER && fields.size() > 1 && first.type().isNumber()
        ? fields.get(1)
        : first;
  }
}
