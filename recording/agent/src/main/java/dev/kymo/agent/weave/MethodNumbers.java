package dev.kymo.agent.weave;

import dev.kymo.format.Definition;
import dev.kymo.format.ThreadRecord;
import dev.kymo.recorder.ProcessRecorder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Type;

/**
 * Gives methods their numbers and defines them in the recording. A class that is redefined keeps
 * the numbers it had; classes of the same name from different loaders have different ones.
 *
 * <p>Numbers are given once in the life of a process: a method that runs while one recording stops
 * and another one starts leaves with the number with which it was entered.
 */
public final class MethodNumbers {
  private static @Nullable MethodNumbers instance;

  private final List<Definition> defined = new ArrayList<>();
  private ProcessRecorder recorder;
  private final AtomicInteger lastType = new AtomicInteger();
  private final AtomicInteger lastMethod = new AtomicInteger();
  private final Map<@Nullable ClassLoader, Map<String, TypeNumbers>> types = new WeakHashMap<>();

  private final Map<String, TypeNumbers> states = new HashMap<>();

  private MethodNumbers(ProcessRecorder recorder) {
    this.recorder = recorder;
  }

  /** The numbers of this process; all are defined in the recording. */
  public static synchronized MethodNumbers in(ProcessRecorder recorder) {
    MethodNumbers numbers = instance;
    if (numbers == null) {
      numbers = new MethodNumbers(recorder);
      instance = numbers;
    } else {
      numbers.defineAll(recorder);
    }
    return numbers;
  }

  private synchronized void defineAll(ProcessRecorder next) {
    recorder = next;
    defined.forEach(next::define);
  }

  private synchronized void define(Definition definition) {
    defined.add(definition);
    recorder.define(definition);
  }

  /** The numbers of a class, defined if it is new. */
  synchronized TypeNumbers type(@Nullable ClassLoader loader, String name, String source) {
    return types
        .computeIfAbsent(loader, unused -> new HashMap<>())
        .computeIfAbsent(
            name,
            unused -> {
              int number = lastType.incrementAndGet();
              define(new Definition.Type(number, name, describe(loader), source));
              return new TypeNumbers(number);
            });
  }

  /** Whether methods of this class have numbers. */
  synchronized boolean knows(@Nullable ClassLoader loader, String name) {
    Map<String, TypeNumbers> known = types.get(loader);
    return known != null && known.containsKey(name);
  }

  /** Whether one of these methods is in this class. */
  synchronized boolean hasOneOf(@Nullable ClassLoader loader, String name, Set<Integer> methods) {
    Map<String, TypeNumbers> known = types.get(loader);
    TypeNumbers type = known == null ? null : known.get(name);
    return type != null && type.hasOneOf(methods);
  }

  /** All methods of the classes that contain these methods. */
  synchronized Set<Integer> wovenWith(Set<Integer> some) {
    Set<Integer> all = new HashSet<>();
    types
        .values()
        .forEach(names ->
            names.values().stream()
                .filter(type -> type.hasOneOf(some))
                .forEach(type -> type.addTo(all)));
    return all;
  }

  /**
   * Number of a kind of state, or of something else that is not a method; defined if it is new. -1
   * when there are no numbers left.
   *
   * @param kind used in place of the class
   * @param name used in place of the method
   */
  public synchronized int state(String kind, String name) {
    return states
        .computeIfAbsent(
            kind,
            unused -> {
              int number = lastType.incrementAndGet();
              define(new Definition.Type(number, kind, "", ""));
              return new TypeNumbers(number);
            })
        .number(asWritten(name), "", 0, 0);
  }

  /** The name of an array's class as programs write it. */
  private static String asWritten(String name) {
    return name.startsWith("[") ? Type.getType(name.replace('.', '/')).getClassName() : name;
  }

  /**
   * A class with methods that have numbers.
   *
   * @param checksum of its class file
   * @param methods numbers by name and descriptor
   */
  record Woven(String name, int checksum, Map<String, Integer> methods) {}

  /** All classes with methods that have numbers. */
  synchronized List<Woven> woven() {
    List<Woven> all = new ArrayList<>();
    types.values().forEach(names -> names.forEach((name, type) -> all.add(type.woven(name))));
    return all;
  }

  private static String describe(@Nullable ClassLoader loader) {
    if (loader == null) {
      return "";
    }
    String name = loader.getClass().getName(); // not getName(), which the program may override
    return name + "@" + Integer.toHexString(System.identityHashCode(loader));
  }

  /** Numbers of the methods of one class. */
  final class TypeNumbers {
    private final int type;
    private final Map<String, Integer> methods = new HashMap<>();
    private int checksum;

    private TypeNumbers(int type) {
      this.type = type;
    }

    /** The class file that contains these methods. */
    synchronized void checksum(int sum) {
      checksum = sum;
    }

    private synchronized Woven woven(String name) {
      return new Woven(name, checksum, Map.copyOf(methods));
    }

    private synchronized void addTo(Set<Integer> all) {
      all.addAll(methods.values());
    }

    synchronized boolean hasOneOf(Set<Integer> some) {
      return methods.values().stream().anyMatch(some::contains);
    }

    /** Number of a method, defined if it is new; -1 when there are no numbers left. */
    int method(MethodFacts facts) {
      return number(facts.name(), facts.descriptor(), facts.line(), facts.access());
    }

    private synchronized int number(String name, String descriptor, int line, int access) {
      return methods.computeIfAbsent(
          name + descriptor,
          unused -> {
            int number = lastMethod.incrementAndGet();
            if (number > ThreadRecord.MAX_PAYLOAD) {
              return -1;
            }
            define(new Definition.Method(number, type, line, access, name, descriptor));
            return number;
          });
    }
  }
}
