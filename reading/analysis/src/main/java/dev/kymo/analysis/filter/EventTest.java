package dev.kymo.analysis.filter;

/** Chooses events; used by one thread. */
@FunctionalInterface
public interface EventTest {
  EventTest ALL =
      new EventTest() {
        @Override
        public boolean accept(EventFacts event) {
          return true;
        }

        @Override
        public boolean isAll() {
          return true;
        }
      };

  /** Whether an event is wanted; what it is told of the event is valid until it returns. */
  boolean accept(EventFacts event);

  /** Whether all are known to be wanted, so that nobody needs to ask. */
  default boolean isAll() {
    return false;
  }
}
