package dev.kymo.analysis.difference.paths;

import dev.kymo.model.definitions.MethodTable;
import dev.kymo.model.definitions.TracedMethod;
import java.util.Arrays;
import java.util.Set;
import java.util.function.Predicate;

/** The methods and states of one recording, by the keys that all compared recordings share. */
final class MethodKeys {
  private static final int UNKNOWN = -1;

  private final MethodTable methods;
  private final NameKeys names;
  private final Set<Integer> folded;

  /** By method: its key; those that are folded have it negative. */
  private int[] keys = {};

  private int[] states = {};
  private final Predicate<String> watched;

  /** By method: whether it is watched, 1 and 0. */
  private int[] watches = {};

  /**
   * Of a recording.
   *
   * @param folded keys of methods that have no nodes
   * @param watched names of methods of which each call is asked for
   */
  MethodKeys(MethodTable methods, NameKeys names, Set<Integer> folded, Predicate<String> watched) {
    this.watched = watched;
    this.methods = methods;
    this.names = names;
    this.folded = folded;
  }

  int of(int method) {
    int key = known(method);
    return key < UNKNOWN ? -key - 2 : key;
  }

  boolean isFolded(int method) {
    return known(method) < UNKNOWN;
  }

  private int known(int method) {
    int key = method < keys.length ? keys[method] : UNKNOWN;
    return key == UNKNOWN ? find(method) : key;
  }

  private int find(int method) {
    int key = key(methods.get(method), names);
    keys = room(keys, method);
    keys[method] = folded.contains(key) ? -key - 2 : key;
    return keys[method];
  }

  boolean isWatched(int method) {
    watches = room(watches, method);
    if (watches[method] == UNKNOWN) {
      watches[method] = watched.test(names.name(of(method))) ? 1 : 0;
    }
    return watches[method] == 1;
  }

  static int key(TracedMethod method, NameKeys names) {
    return names.of(method);
  }

  /** Of what is waited for: its kind and its class. */
  int ofState(int state) {
    states = room(states, state);
    if (states[state] == UNKNOWN) {
      TracedMethod known = methods.get(state);
      String name = known.type() + (known.name().isEmpty() ? "" : " " + known.name());
      states[state] = names.of(name);
    }
    return states[state];
  }

  private static int[] room(int[] in, int index) {
    if (index < in.length) {
      return in;
    }
    int[] larger = Arrays.copyOf(in, Math.max(index + 1, in.length * 2));
    Arrays.fill(larger, in.length, larger.length, UNKNOWN);
    return larger;
  }
}
