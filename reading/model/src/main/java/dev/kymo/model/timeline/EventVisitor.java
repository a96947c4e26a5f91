package dev.kymo.model.timeline;

import dev.kymo.model.definitions.TracedEvent;
import dev.kymo.reader.EventBatch;

/** Takes user events. */
@FunctionalInterface
public interface EventVisitor {
  /**
   * An event; those of a track come in the order of their times.
   *
   * @param time nanoseconds since the begin
   * @param batch has its argument or data, if asked with the word, until this returns
   */
  void event(long time, TracedEvent event, EventBatch batch, int word);
}
