package dev.kymo.server.answers;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.kymo.format.Definition;
import dev.kymo.format.EventKind;
import dev.kymo.model.definitions.TracedEvent;
import dev.kymo.model.definitions.TracedMethod;
import dev.kymo.model.timeline.Timeline;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What gets a separate hue in the picture of a Java program: its packages; if there is only one,
 * its classes; if there is only one, its methods. In the order of their first use, so that those of
 * a growing recording stay where they are. So have the threads that processors ran, and subsystems
 * of events without a colour.
 */
final class Families {
  /** More hues cannot be distinguished; a page needs no more names. */
  private static final int MOST = 100;

  /** The JDK's own classes have no hue. */
  private static final Pattern PLATFORM = Pattern.compile("(java|javax|jdk|sun|com\\.sun)\\..*");

  /** What processors run. */
  private static final Set<String> RUN = Set.of("thread", "application");

  private Families() {}

  static void write(JsonGenerator json, Timeline timeline) throws IOException {
    Set<String> packages = new LinkedHashSet<>();
    Set<String> classes = new LinkedHashSet<>();
    Set<String> methods = new LinkedHashSet<>();
    Set<String> others = new LinkedHashSet<>();
    Map<Integer, TracedEvent> events = MethodsAnswer.events(timeline);
    for (int i = 0; i < timeline.methods() && packages.size() < MOST; i++) {
      TracedMethod method = timeline.method(i);
      String type = method.type();
      // States, native functions and the virtual machine's work are not methods of a class.
      if (method.descriptor().startsWith("(") && !PLATFORM.matcher(type).matches()) {
        packages.add(type.substring(0, Math.max(0, type.lastIndexOf('.'))));
        add(classes, type);
        add(methods, method.name());
      }
      add(others, other(method, events.get(i)));
    }
    String of = packages.size() > 1 ? "package" : classes.size() > 1 ? "class" : "method";
    json.writeObjectFieldStart("families");
    json.writeStringField("of", of);
    json.writeArrayFieldStart("names");
    for (String name : packages.size() > 1 ? packages : classes.size() > 1 ? classes : methods) {
      json.writeString(name);
    }
    json.writeEndArray();
    json.writeArrayFieldStart("others");
    for (String name : others) {
      json.writeString(name);
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  /**
   * A thread on a processor, or what has the colour of an event; empty if the method is neither.
   */
  private static String other(TracedMethod method, @Nullable TracedEvent event) {
    if (event == null) {
      boolean run = method.descriptor().isEmpty() && RUN.contains(method.type());
      return run ? method.name() : "";
    }
    Definition.Subsystem subsystem = event.subsystem();
    if (!subsystem.color().isEmpty() || EventKind.END.is(event.kind())) {
      return "";
    }
    if (EventKind.BEGIN.is(event.kind())) {
      return method.type() + '.' + method.name();
    }
    return method.type();
  }

  private static void add(Set<String> names, String name) {
    if (!name.isEmpty() && names.size() < MOST) {
      names.add(name);
    }
  }
}
