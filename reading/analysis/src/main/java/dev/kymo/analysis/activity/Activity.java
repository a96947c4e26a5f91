package dev.kymo.analysis.activity;

import dev.kymo.analysis.filter.EventFacts;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Something that begins with one event and ends with another, wherever they are: a request from
 * accept to reply. Times are nanoseconds since the recording's begin.
 */
public final class Activity {
  /** Places that are kept of one activity; further ones are counted. */
  public static final int MAX_STEPS = 64;

  /** Stands in a key before what people are shown of it. */
  static final char KEY = '\0';

  private final String key;
  private final List<Step> steps = new ArrayList<>(2);
  private String name;
  private long count;
  private long end;
  private boolean ended;

  /** One of the same key that began before, and has not ended. */
  @Nullable Activity outer;

  /**
   * An event of an activity: there the call is that the activity holds.
   *
   * @param process number in the recording
   * @param thread number in the process
   */
  public record Step(int process, int thread, String threadName, long time) {}

  Activity(String key, String name) {
    this.key = key;
    this.name = name;
  }

  void step(EventFacts event) {
    end = event.time();
    count++;
    if (steps.size() < MAX_STEPS) {
      steps.add(new Step(event.process(), event.thread(), event.threadName(), end));
    }
  }

  void end(EventFacts event) {
    step(event);
    ended = true;
  }

  void rename(String other) {
    name = other;
  }

  public String name() {
    return name;
  }

  /** What distinguishes it from others that are open. */
  String id() {
    return key;
  }

  /** The same in words. */
  public String key() {
    return key.substring(key.indexOf(KEY) + 1);
  }

  public long begin() {
    return steps.getFirst().time();
  }

  /** Time of its last event. */
  public long end() {
    return end;
  }

  /** Nanoseconds from the first to the last event; of one that was left open at least these. */
  public long duration() {
    return end - begin();
  }

  /** Whether the event came that ends it. */
  public boolean ended() {
    return ended;
  }

  /** Its events, the first of them that were kept. */
  public List<Step> steps() {
    return steps;
  }

  /** How many events it has. */
  public long events() {
    return count;
  }

  /** On how many threads those are that were kept. */
  public long threads() {
    return steps.stream()
        .map(step -> (long) step.process() << 32 | (step.thread() & 0xFFFFFFFFL))
        .distinct()
        .count();
  }
}
