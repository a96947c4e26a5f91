package dev.kymo.jmh;

import dev.kymo.api.Unrecorded;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The profile of a benchmark's measured iterations, added up over its forks. Times are nanoseconds.
 *
 * @param forks number of recordings that this is from
 * @param operations in JMH's sense, all of the measured iterations
 * @param timed those of them in the loops that JMH measures, without what threads do until all
 *     others have begun or ended
 * @param methods the recorded methods
 * @param loops what JMH's loops around the benchmark took, and methods that are not recorded
 * @param waits what the benchmark's threads waited for in these loops
 * @param others what other threads waited for monitors and locks meanwhile
 * @param notes what else is to be said: where the recordings are, what is missing
 */
@Unrecorded
record Profile(
    int forks,
    long operations,
    long timed,
    List<Method> methods,
    Method loops,
    List<Wait> waits,
    List<Wait> others,
    List<String> notes)
    implements Serializable {

  /**
   * A method.
   *
   * @param name class and method
   * @param calls number of calls
   * @param counted how many of them were only counted
   * @param self time without what it called and without what probes took, as far as that is known
   * @param stood how much of it its threads waited, or were stopped
   * @param stopped how much of it the virtual machine had stopped all threads
   * @param atLeast whether calls are missing
   * @param estimated whether the time is an estimate
   */
  record Method(
      String name,
      long calls,
      long counted,
      long self,
      long stood,
      long stopped,
      boolean atLeast,
      boolean estimated)
      implements Serializable {
    static Method none(String name) {
      return new Method(name, 0, 0, 0, 0, 0, false, false);
    }

    Method plus(Method other) {
      return new Method(
          name,
          calls + other.calls,
          counted + other.counted,
          self + other.self,
          stood + other.stood,
          stopped + other.stopped,
          atLeast | other.atLeast,
          estimated | other.estimated);
    }

    /** Class and method, without the package; only the method, if the class is the owner. */
    String shortName(String owner) {
      int dot = name.lastIndexOf('.');
      return name.startsWith(owner + '.') && owner.length() == dot
          ? name.substring(dot + 1)
          : name.substring(name.lastIndexOf('.', dot - 1) + 1);
    }
  }

  /**
   * What was waited for.
   *
   * @param kind monitor, park, ...
   * @param state the kind, and the class of what was waited for
   * @param count number of waits
   * @param time all of them
   * @param longest one of them
   */
  record Wait(String kind, String state, long count, long time, long longest)
      implements Serializable {
    Wait plus(Wait other) {
      return new Wait(
          kind, state, count + other.count, time + other.time, Math.max(longest, other.longest));
    }
  }

  /** Nothing was recorded; a sentence says more. */
  static Profile none(String note) {
    return new Profile(
        0, 0, 0, List.of(), Method.none("loops"), List.of(), List.of(), List.of(note));
  }

  Profile plus(Profile other) {
    return new Profile(
        forks + other.forks,
        operations + other.operations,
        timed + other.timed,
        sumsOfMethods(all(methods, other.methods)),
        loops.plus(other.loops),
        sums(all(waits, other.waits)),
        sums(all(others, other.others)),
        all(notes, other.notes));
  }

  /** Adds up methods of the same name, such as those of one class with other parameters. */
  static List<Method> sumsOfMethods(List<Method> methods) {
    Map<String, Method> sums = new LinkedHashMap<>();
    methods.forEach(it -> sums.merge(it.name(), it, Method::plus));
    return List.copyOf(sums.values());
  }

  private static List<Wait> sums(List<Wait> waits) {
    Map<String, Wait> sums = new LinkedHashMap<>();
    waits.forEach(it -> sums.merge(it.state(), it, Wait::plus));
    return List.copyOf(sums.values());
  }

  private static <T> List<T> all(List<T> some, List<T> more) {
    List<T> all = new ArrayList<>(some);
    all.addAll(more);
    return List.copyOf(all);
  }

  /** The methods, those with most time of their own first. */
  List<Method> most() {
    return methods.stream()
        .sorted(
            Comparator.comparingLong(Method::self)
                .thenComparingLong(Method::calls)
                .reversed()
                .thenComparing(Method::name))
        .toList();
  }

  long calls() {
    return methods.stream().mapToLong(Method::calls).sum();
  }

  /** Calls that were only counted. */
  long counted() {
    return methods.stream().mapToLong(Method::counted).sum();
  }

  /** Time of all methods and loops, without what probes took. */
  long self() {
    return loops.self() + methods.stream().mapToLong(Method::self).sum();
  }

  /** Time for which the virtual machine had stopped the threads in methods and loops. */
  long stopped() {
    return loops.stopped() + methods.stream().mapToLong(Method::stopped).sum();
  }

  /** Time that the benchmark's threads waited. */
  long waited() {
    return waits.stream().mapToLong(Wait::time).sum();
  }

  /** Whether calls are missing. */
  boolean isAtLeast() {
    return loops.atLeast() || methods.stream().anyMatch(Method::atLeast);
  }
}
