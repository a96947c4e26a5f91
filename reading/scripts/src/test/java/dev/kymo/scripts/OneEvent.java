package dev.kymo.scripts;

import dev.kymo.analysis.filter.EventFacts;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The end of a call that took 5 ns, with fields as no call has them. */
record OneEvent(Map<String, Object> values) implements EventFacts {
  static final OneEvent PLAIN = new OneEvent(Map.of("id", 7L, "who", "me"));

  @Override
  public String kind() {
    return "leave";
  }

  @Override
  public String name() {
    return "a.B.run";
  }

  @Override
  public String subsystem() {
    return "a.B";
  }

  @Override
  public long time() {
    return 105;
  }

  @Override
  public long begin() {
    return 100;
  }

  @Override
  public int process() {
    return 1;
  }

  @Override
  public int pid() {
    return 1001;
  }

  @Override
  public String command() {
    return "java App";
  }

  @Override
  public int thread() {
    return 12;
  }

  @Override
  public String threadName() {
    return "main";
  }

  @Override
  public String track() {
    return "calls";
  }

  @Override
  public int core() {
    return -1;
  }

  @Override
  public int depth() {
    return 0;
  }

  @Override
  public String place() {
    return "a.B.run";
  }

  @Override
  public @Nullable Object field(String name) {
    return values.get(name);
  }

  @Override
  public List<String> fields() {
    return values.keySet().stream().sorted().toList();
  }

  @Override
  public String text() {
    return "id=7";
  }
}
