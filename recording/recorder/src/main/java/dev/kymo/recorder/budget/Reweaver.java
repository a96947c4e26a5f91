package dev.kymo.recorder.budget;

import java.util.Set;

/** Removes the probes of methods, and puts them in again; the agent implements this. */
public interface Reweaver {
  /**
   * Weaves the classes of some methods again. This takes time; the program stops for some of it.
   *
   * @param without all methods that have no probes from now on
   * @param changed the new methods among these, and those that get probes again
   */
  void reweave(Set<Integer> without, Set<Integer> changed);

  /** The methods of some methods' classes: they are woven again together. */
  Set<Integer> wovenWith(Set<Integer> methods);
}
