package dev.kymo.importers.chrome.json;

import java.util.LinkedHashMap;
import java.util.Map;

/** An event of the file; the reader uses one object for all of them. */
public final class TraceEvent {
  String phase = "";
  String category = "";
  String name = "";
  long time;
  boolean timed;
  long duration;
  boolean lasting;
  String pid = "";
  String tid = "";
  String id = "";
  boolean local;
  String scope = "";
  String bindId = "";
  boolean flowIn;
  boolean flowOut;
  String frame = "";
  final Map<String, Object> arguments = new LinkedHashMap<>();
  final Map<String, Object> more = new LinkedHashMap<>();

  TraceEvent() {}

  void clear() {
    phase = "";
    category = "";
    name = "";
    time = 0;
    timed = false;
    duration = 0;
    lasting = false;
    pid = "";
    tid = "";
    id = "";
    local = false;
    scope = "";
    bindId = "";
    flowIn = false;
    flowOut = false;
    frame = "";
    arguments.clear();
    more.clear();
  }

  /** What it is, as the file says: {@code B}. */
  public String phase() {
    return phase;
  }

  public String category() {
    return category;
  }

  public String name() {
    return name;
  }

  /** Nanoseconds; 0 if it has no time. */
  public long time() {
    return time;
  }

  public boolean hasTime() {
    return timed;
  }

  /** Nanoseconds; 0 if it has no duration. */
  public long duration() {
    return duration;
  }

  public boolean hasDuration() {
    return lasting;
  }

  /** Text of the process's number; empty if there is none. */
  public String pid() {
    return pid;
  }

  public String tid() {
    return tid;
  }

  /** What joins it with others; empty if it has none. */
  public String id() {
    return id;
  }

  /** Whether the id is one of its process only. */
  public boolean isLocal() {
    return local;
  }

  public String scope() {
    return scope;
  }

  /** The flow that it takes part in; empty if none. */
  public String bindId() {
    return bindId;
  }

  public boolean isFlowIn() {
    return flowIn;
  }

  public boolean isFlowOut() {
    return flowOut;
  }

  /** Number of the innermost stack frame; empty if none. */
  public String frame() {
    return frame;
  }

  /**
   * The arguments; objects within them are flattened to {@code a.b}. Values are {@link Long},
   * {@link Double}, {@link Boolean} or {@link String}.
   */
  public Map<String, Object> arguments() {
    return arguments;
  }

  /** Everything else that the event has. */
  public Map<String, Object> more() {
    return more;
  }
}
