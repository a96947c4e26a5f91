package dev.kymo.events.parse;

import dev.kymo.events.Event;
import dev.kymo.events.Subsystem;
import dev.kymo.format.EventKind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.antlr.v4.runtime.Token;
import org.jspecify.annotations.Nullable;

/** From the parser's tree to subsystems. The tree may have holes where the file is wrong. */
final class FileReader {
  private static final Pattern COLOR = Pattern.compile("#[0-9a-fA-F]{6}");

  private final Problems problems;
  private final boolean complete;
  private final Texts texts;

  /**
   * @param complete whether the tree has no holes: else nothing is reported about what may be in a
   *     hole
   */
  FileReader(Problems problems, boolean complete) {
    this.problems = problems;
    this.complete = complete;
    this.texts = new Texts(problems);
  }

  List<Subsystem> read(DefinitionParser.FileContext file) {
    Names names = new Names(problems, "subsystem");
    Ids ids = new Ids(problems, "subsystem", complete);
    List<Subsystem> subsystems = new ArrayList<>();
    for (DefinitionParser.SubsystemContext each : file.subsystem()) {
      Token name = Names.token(each.NAME());
      if (name != null) {
        names.add(name);
        subsystems.add(subsystem(each, name, ids.id(name, idOf(each.id()))));
      }
    }
    return subsystems;
  }

  /** An id without a number is a hole. */
  static DefinitionParser.@Nullable IdContext idOf(DefinitionParser.@Nullable IdContext id) {
    return id == null || Names.token(id.NUMBER()) == null ? null : id;
  }

  private Subsystem subsystem(DefinitionParser.SubsystemContext tree, Token name, int id) {
    Map<String, String> attributes = attributes(tree.attribute());
    List<Event> events = new EventReader(problems, texts, complete).read(tree.event());
    if (complete) {
      checkEnds(tree);
    }
    return new Subsystem(
        name.getText(),
        id,
        attributes.getOrDefault("category", ""),
        attributes.getOrDefault("color", ""),
        events,
        Problems.place(name));
  }

  private Map<String, String> attributes(List<DefinitionParser.AttributeContext> trees) {
    Map<String, String> values = new HashMap<>();
    for (DefinitionParser.AttributeContext tree : trees) {
      Token name = Names.token(tree.NAME());
      if (name != null && tree.text() != null && Names.token(tree.text().STRING()) != null) {
        String value = texts.decode(tree.text());
        checkAttribute(name, tree.text().start, value, values);
        values.put(name.getText(), value);
      }
    }
    return values;
  }

  private void checkAttribute(Token name, Token text, String value, Map<String, String> before) {
    String word = name.getText();
    if (!word.equals("category") && !word.equals("color")) {
      problems.add(name, "unknown word '%s': expected 'category', 'color' or '{'".formatted(word));
    } else if (before.containsKey(word)) {
      problems.add(name, "'%s' is given twice".formatted(word));
    } else if (word.equals("category") && before.containsKey("color")) {
      problems.add(name, "'category' has to stand before 'color'");
    }
    if (word.equals("color") && !value.isEmpty() && !COLOR.matcher(value).matches()) {
      problems.add(text, "not a color: expected \"#rrggbb\", found " + text.getText());
    }
  }

  /**
   * Each end ends something that begins before it in the same subsystem: the API needs them in this
   * order.
   */
  private void checkEnds(DefinitionParser.SubsystemContext tree) {
    Map<String, DefinitionParser.EventContext> before = new HashMap<>();
    for (DefinitionParser.EventContext event : tree.event()) {
      DefinitionParser.KindContext kind = event.kind();
      Token begin = kind == null || kind.NAME(1) == null ? null : kind.NAME(1).getSymbol();
      if (begin != null && isKind(event, EventKind.END)) {
        checkBegin(begin, before.get(begin.getText()));
      }
      before.put(event.NAME().getText(), event);
    }
  }

  private void checkBegin(Token begin, DefinitionParser.@Nullable EventContext begun) {
    if (begun == null) {
      problems.add(
          begin,
          "no event '%s' before this one in its subsystem: expected the name of an event of kind begin"
              .formatted(begin.getText()));
    } else if (!isKind(begun, EventKind.BEGIN)) {
      problems.add(
          begin,
          "event '%s' is not a begin, nothing can end it: line=%d; expected the name of an event of kind begin"
              .formatted(begin.getText(), begun.NAME().getSymbol().getLine()));
    }
  }

  private static boolean isKind(DefinitionParser.EventContext event, EventKind kind) {
    return event.kind() != null && event.kind().NAME(0).getText().equals(kind.word());
  }
}
