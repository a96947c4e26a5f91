package dev.kymo.analysis.selection;

import dev.kymo.model.timeline.CallVisitor;

/**
 * Collects something from the calls of one track after the other; used by one thread.
 *
 * @param <C> itself
 */
public interface CallCollector<C extends CallCollector<C>> extends CallVisitor {
  /** The calls that follow are of this track. */
  void track(int track);

  /** Adds what another one has collected from other tracks. */
  void merge(C other);
}
