package dev.kymo.analysis.activity;

import dev.kymo.analysis.filter.EventFacts;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The activities that have begun and not ended. Of several with the same key the last one that
 * began ends first. There are {@value #MAX} at most: then the oldest is given up, as one that was
 * left open.
 */
public final class OpenActivities {
  /** Open activities at most. */
  public static final int MAX = 100_000;

  private final Map<String, Activity> open = new LinkedHashMap<>();
  private final Consumer<Activity> over;
  private int count;
  private long givenUp;
  private long unbegun;

  /**
   * None yet.
   *
   * @param over takes those that have ended, and those that were left open
   */
  OpenActivities(Consumer<Activity> over) {
    this.over = over;
  }

  /** An activity begins with an event. */
  public void begin(String key, String name, EventFacts event) {
    if (count == MAX) {
      giveUpOldest();
    }
    Activity begun = new Activity(key, name);
    begun.step(event);
    begun.outer = open.put(key, begun);
    count++;
  }

  /** An event belongs to an activity, if that has begun. */
  public void step(String key, EventFacts event) {
    Activity found = open.get(key);
    if (found != null) {
      found.step(event);
    }
  }

  /**
   * An activity ends with an event.
   *
   * @param name that it gets now; null = it keeps its name
   */
  public void end(String key, @Nullable String name, EventFacts event) {
    Activity found = open.get(key);
    if (found == null) {
      unbegun++;
      return;
    }
    if (name != null) {
      found.rename(name);
    }
    found.end(event);
    close(found);
    over.accept(found);
  }

  private void close(Activity found) {
    Activity outer = found.outer;
    found.outer = null;
    count--;
    if (outer == null) {
      open.remove(found.id());
    } else {
      open.put(found.id(), outer);
    }
  }

  private void giveUpOldest() {
    Iterator<Activity> first = open.values().iterator();
    Activity oldest = first.next();
    givenUp++;
    close(oldest);
    over.accept(oldest);
  }

  /** No more events come. */
  void finish() {
    for (Activity each : open.values()) {
      for (Activity left = each; left != null; left = left.outer) {
        over.accept(left);
      }
    }
    open.clear();
  }

  /** How many were given up because too many were open. */
  public long givenUp() {
    return givenUp;
  }

  /** How many ends came without a begin. */
  public long unbegun() {
    return unbegun;
  }
}
