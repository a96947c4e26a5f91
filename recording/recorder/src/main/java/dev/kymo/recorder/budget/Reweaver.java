package dev.kymo.recorder;

import java.util.Set;

/** Takes probes out of methods, and puts them in again; the agent can. */
public interface Reweaver {
  /**
   * Weaves the classes of some methods anew. Takes its time; the program stops for some of it.
   *
   * @param without methods that are to have no probes from now on, all of them
   * @param changed those among them that are new, and those that are to have probes again
   */
  void reweave(Set<Integer> without, Set<Integer> changed);

  /** The methods of some methods' classes: they are woven anew together. */
  Set<Integer> wovenWith(Set<Integer> methods);
}
