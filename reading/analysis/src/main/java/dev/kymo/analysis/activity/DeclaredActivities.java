package dev.kymo.analysis.activity;

import dev.kymo.analysis.filter.EventFacts;
import dev.kymo.analysis.names.NameGlob;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Activities that were declared without code, a line each: {@code request: begin=shop.ACCEPT
 * end=shop.REPLY key=id}. A method or state as the begin or a step is meant where it is entered, as
 * the end where it is left.
 */
public final class DeclaredActivities implements ActivityRule {
  private static final Pattern LINE = Pattern.compile("\\s*([^:=\"]+?)\\s*:(?!:)(.*)");
  private static final Pattern PART =
      Pattern.compile("\\s*(begin|step|end|key)=(?:\"([^\"]*)\"|([^\\s\"(]+))(?:\\(([^)]*)\\))?");

  private final List<Declaration> declarations = new ArrayList<>();

  /** Events that do something for an activity, and the field by which they say for which. */
  private static final class Deed {
    private final NameGlob name;
    private final String key;

    Deed(NameGlob name, String key) {
      this.name = name;
      this.key = key;
    }

    /** Key of the activity that an event is about; null = it is about none. */
    @Nullable String of(EventFacts event, boolean ends) {
      boolean call =
          switch (event.kind()) {
            case "enter" -> !ends;
            case "leave", "unwind" -> ends;
            case "switch", "detail" -> false;
            default -> true;
          };
      if (!call || !name.test(event.name())) {
        return null;
      }
      return switch (key) {
        case "thread" -> "thread " + event.process() + '/' + event.thread();
        case "process" -> "process " + event.process();
        case "core" -> event.core() < 0 ? null : "core " + event.core();
        default -> {
          Object value = event.field(key);
          yield value == null ? null : key + '=' + value;
        }
      };
    }
  }

  /** One line. */
  private record Declaration(String name, List<Deed> begins, List<Deed> steps, List<Deed> ends) {
    void event(EventFacts event, OpenActivities open) {
      String ended = first(ends, event, true);
      if (ended != null) {
        open.end(id(ended), null, event);
      }
      String begun = first(begins, event, false);
      if (begun != null) {
        open.begin(id(begun), name, event);
        return;
      }
      String stepped = ended == null ? first(steps, event, false) : null;
      if (stepped != null) {
        open.step(id(stepped), event);
      }
    }

    /** Keys of different declarations are not the same. */
    private String id(String key) {
      return name + Activity.KEY + key;
    }

    private static @Nullable String first(List<Deed> deeds, EventFacts event, boolean ends) {
      for (Deed deed : deeds) {
        String key = deed.of(event, ends);
        if (key != null) {
          return key;
        }
      }
      return null;
    }
  }

  private DeclaredActivities() {}

  /**
   * Reads declarations; empty lines and what follows a {@code #} at a line's begin are left out.
   *
   * @throws IllegalArgumentException if a line is not one; the message says what is wrong
   */
  public static DeclaredActivities of(List<String> lines) {
    DeclaredActivities all = new DeclaredActivities();
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i).strip();
      if (!line.isEmpty() && !line.startsWith("#")) {
        all.declarations.add(declaration(line, i + 1));
      }
    }
    if (all.declarations.isEmpty()) {
      throw new IllegalArgumentException("no activity is declared");
    }
    return all;
  }

  private static Declaration declaration(String line, int number) {
    Matcher whole = LINE.matcher(line);
    if (!whole.matches()) {
      throw error(number, 1, "not NAME: begin=EVENT end=EVENT key=FIELD");
    }
    List<Part> parts = parts(whole.group(2), number, whole.start(2));
    String key =
        parts.stream()
            .filter(part -> part.word.equals("key"))
            .map(part -> part.value)
            .reduce((one, two) -> two)
            .orElse("thread");
    Declaration declared =
        new Declaration(
            whole.group(1),
            deeds(parts, "begin", key),
            deeds(parts, "step", key),
            deeds(parts, "end", key));
    if (declared.begins.isEmpty() || declared.ends.isEmpty()) {
      throw error(number, 1, "an activity has begin=EVENT and end=EVENT");
    }
    return declared;
  }

  private record Part(String word, String value, @Nullable String key) {}

  private static List<Part> parts(String text, int line, int offset) {
    List<Part> parts = new ArrayList<>();
    Matcher part = PART.matcher(text);
    int at = 0;
    while (at < text.stripTrailing().length()) {
      if (!part.find(at) || part.start() != at) {
        int column = offset + at + 1 + text.substring(at).indexOf(text.substring(at).strip());
        throw error(line, column, "not begin=, step=, end= or key= with a name");
      }
      String value = part.group(2) == null ? part.group(3) : part.group(2);
      parts.add(new Part(part.group(1), value, part.group(4)));
      at = part.end();
    }
    return parts;
  }

  private static List<Deed> deeds(List<Part> parts, String word, String key) {
    return parts.stream()
        .filter(part -> part.word.equals(word))
        .map(part -> new Deed(new NameGlob(part.value), part.key == null ? key : part.key))
        .toList();
  }

  private static IllegalArgumentException error(int line, int column, String what) {
    return new IllegalArgumentException(
        "line=%d column=%d error=\"%s\"".formatted(line, column, what));
  }

  @Override
  public void event(EventFacts event, OpenActivities open) {
    for (Declaration each : declarations) {
      each.event(event, open);
    }
  }
}
