package dev.kymo.importers.paje;

import dev.kymo.format.Clock;
import dev.kymo.importers.paje.Containers.Container;
import dev.kymo.importers.paje.PajeTypes.PajeType;
import dev.kymo.importers.paje.lines.PajeEvent;
import dev.kymo.importers.paje.lines.PajeReader;
import dev.kymo.importers.target.ForeignException;
import dev.kymo.importers.target.ForeignFile;
import dev.kymo.importers.target.Import;
import dev.kymo.importers.target.Order;
import dev.kymo.importers.target.Source;
import dev.kymo.importers.target.Target;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Writes a file's events into a recording. Its events are counted as {@code pj_dump} has lines:
 * containers, states when they begin, links when both their ends are known, variables once at each
 * time.
 */
final class PajeImport implements PajeReader.Taker, AutoCloseable {
  private static final long PER_SECOND = 1_000_000_000;
  private static final String TRACKS = "processes and tracks";
  private static final int MOST_TYPES = 100_000;
  private static final int MOST_CONTAINERS = 500_000;

  private final ForeignFile file;
  private final String title;
  private final Import to;
  private final PajeTypes types = new PajeTypes();
  private final Containers containers;
  private @Nullable Target target;
  private @Nullable PajeActions actions;
  private long colors;

  PajeImport(ForeignFile file, String title, Import to) {
    this.file = file;
    this.title = title;
    this.to = to;
    this.containers = new Containers(file.name());
  }

  @Override
  public void event(PajeEvent event) throws IOException {
    if (!event.get("Color").isEmpty()) {
      colors++;
    }
    switch (event.kind()) {
      case DEFINE_CONTAINER_TYPE,
          DEFINE_STATE_TYPE,
          DEFINE_EVENT_TYPE,
          DEFINE_VARIABLE_TYPE,
          DEFINE_LINK_TYPE -> {
        bound(types.size(), MOST_TYPES, event);
        types.define(event.get("Alias"), event.get("Name"));
      }
      case DEFINE_ENTITY_VALUE -> type(event).define(event.get("Alias"), event.get("Name"));
      case TRACE_FILE -> begun(0).troubles().count("names of files were left out", at(event));
      default -> timed(event);
    }
  }

  private void bound(int size, int most, PajeEvent event) throws ForeignException {
    if (size >= most) {
      throw wrong("too many definitions", event, "most=" + most);
    }
  }

  private void timed(PajeEvent event) throws IOException {
    Target begun = begun(event.time());
    PajeActions act = actions;
    if (act == null) {
      act = new PajeActions(begun, containers);
      actions = act;
    }
    switch (event.kind()) {
      case CREATE_CONTAINER -> {
        bound(containers.size(), MOST_CONTAINERS, event);
        begun.tally().count("Container", TRACKS);
        containers.create(event.get("Alias"), event.get("Name"), container(event, "Container"));
      }
      case DESTROY_CONTAINER -> act.destroy(container(event, "Name"), event.time());
      case SET_STATE -> {
        Container container = container(event, "Container");
        act.reset(container, type(event), event.time());
        act.push(container, type(event), event);
      }
      case PUSH_STATE -> act.push(container(event, "Container"), type(event), event);
      case POP_STATE -> act.pop(container(event, "Container"), type(event), event);
      case RESET_STATE -> act.reset(container(event, "Container"), type(event), event.time());
      case NEW_EVENT -> act.event(container(event, "Container"), type(event), event);
      case SET_VARIABLE, ADD_VARIABLE, SUB_VARIABLE ->
          act.variable(container(event, "Container"), type(event), event, number(event));
      case START_LINK -> {
        container(event, "Container");
        act.link(container(event, "StartContainer"), type(event), event, true);
      }
      case END_LINK -> {
        container(event, "Container");
        act.link(container(event, "EndContainer"), type(event), event, false);
      }
      default -> throw new IllegalStateException("has no time");
    }
  }

  private PajeType type(PajeEvent event) throws ForeignException {
    PajeType type = types.get(event.get("Type"));
    if (type == null) {
      throw wrong("type is not defined", event, "type=\"" + shown(event.get("Type")) + "\"");
    }
    return type;
  }

  private Container container(PajeEvent event, String field) throws ForeignException {
    Container container = containers.get(event.get(field));
    if (container == null) {
      String name = "container=\"" + shown(event.get(field)) + "\"";
      throw wrong("container does not exist", event, name);
    }
    return container;
  }

  private double number(PajeEvent event) throws ForeignException {
    try {
      return Double.parseDouble(event.get("Value"));
    } catch (NumberFormatException e) {
      throw wrong("value is not a number", event, "value=\"" + shown(event.get("Value")) + "\"");
    }
  }

  private static String shown(String text) {
    return text.length() <= 100 ? text : text.substring(0, 100) + "...";
  }

  private ForeignException wrong(String problem, PajeEvent event, String facts) {
    return ForeignException.inLine(problem, file.path(), event.line(), facts);
  }

  private static String at(PajeEvent event) {
    return "line=" + event.line();
  }

  /** The recording; it begins with the first event that has a time. */
  private Target begun(long time) throws IOException {
    Target begun = target;
    if (begun == null) {
      begun =
          to.begin(
              new Clock(Clock.MONOTONIC, PER_SECOND, 0),
              time,
              Source.unknown(title, file.name()),
              Order.ANY);
      target = begun;
    }
    return begun;
  }

  @Override
  public void cut(long line) {
    try {
      begun(0).troubles().count("the last line is not complete; it was left out", "line=" + line);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  /** Everything has been read. */
  void finish() throws IOException {
    Target begun = begun(0);
    begun.tally().count("Container", TRACKS); // the one that all others are in
    if (colors > 0) {
      begun.notice("colors were left out: count=" + colors);
    }
    PajeActions act = actions;
    if (act != null) {
      act.finish();
    }
  }

  @Override
  public void close() throws IOException {
    Target begun = target;
    if (begun != null) {
      begun.close();
    }
  }
}
