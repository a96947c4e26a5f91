package dev.kymo.importers.chrome;

import dev.kymo.format.EventKind;
import dev.kymo.importers.chrome.Words.Shape;
import dev.kymo.importers.chrome.json.TraceEvent;
import dev.kymo.importers.chrome.json.TraceVisitor;
import java.util.HashMap;
import java.util.Map;

/**
 * Looks at all of a file before anything is written: names stand anywhere in it, the first event
 * too, and a kind of events is to have the fields of all of them.
 */
final class Survey implements TraceVisitor {
  private static final int MOST_NAMES = 50_000;

  private final Kinds kinds = new Kinds();
  private final Frames frames = new Frames();
  private final Map<String, String> processes = new HashMap<>();
  private final Map<String, String> threads = new HashMap<>();
  private long first = Long.MAX_VALUE;
  private long lastAsync = Long.MIN_VALUE;
  private boolean asyncOrdered = true;

  Kinds kinds() {
    return kinds;
  }

  Frames frames() {
    return frames;
  }

  /** Time of the first event; 0 if none has a time. */
  long first() {
    return first == Long.MAX_VALUE ? 0 : first;
  }

  /** Whether the events of asynchronous operations come by time. */
  boolean isAsyncOrdered() {
    return asyncOrdered;
  }

  /** Name of a process; empty if it has none. */
  String process(String pid) {
    return processes.getOrDefault(pid, "");
  }

  /** Name of a thread; empty if it has none. */
  String thread(String pid, String tid) {
    return threads.getOrDefault(pid + "/" + tid, "");
  }

  @Override
  public void event(TraceEvent event, long offset) {
    Shape shape = Words.shape(event);
    if (shape == Shape.METADATA && isName(event)) {
      name(event);
      return;
    }
    if (event.hasTime() && shape != Shape.METADATA) {
      first = Math.min(first, event.time());
    }
    switch (shape) {
      case COUNTER -> counter(event);
      case ASYNC_BEGIN, ASYNC_END, ASYNC_INSTANT -> {
        asyncOrdered &= event.time() >= lastAsync;
        lastAsync = event.time();
        see(event, shape);
      }
      case FLOW_STEP -> {
        see(event, Shape.FLOW_IN);
        see(event, Shape.FLOW_OUT);
      }
      default -> see(event, shape);
    }
  }

  private void see(TraceEvent event, Shape shape) {
    Map<String, Object> fields = Words.fields(event, shape, frames);
    EventKind kind = Words.kind(shape);
    if (kind != EventKind.END || !fields.isEmpty()) {
      kinds.see(kind, event.category(), Words.name(event), fields);
    }
  }

  private void counter(TraceEvent event) {
    Map<String, Object> series = Series.of(event);
    if (series.isEmpty()) {
      see(event, Shape.INSTANT);
    }
    series.forEach((name, value) ->
        kinds.see(EventKind.COUNTER, event.category(), name, Map.of("value", value)));
  }

  static boolean isName(TraceEvent event) {
    return event.arguments().containsKey("name")
        && (event.name().equals("process_name") || event.name().equals("thread_name"));
  }

  private void name(TraceEvent event) {
    String name = String.valueOf(event.arguments().get("name"));
    boolean thread = event.name().equals("thread_name");
    Map<String, String> names = thread ? threads : processes;
    if (names.size() < MOST_NAMES) {
      String shortName = name.length() > 200 ? name.substring(0, 200) : name;
      names.put(thread ? event.pid() + "/" + event.tid() : event.pid(), shortName);
    }
  }

  @Override
  public void frame(String id, String name, String parent) {
    frames.add(id, name, parent);
  }

  @Override
  public void beside(String key, String text) {
    // told when the recording is written
  }

  @Override
  public void cut(long offset) {
    // told when the recording is written
  }
}
