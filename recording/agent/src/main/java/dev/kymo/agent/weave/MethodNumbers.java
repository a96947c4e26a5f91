package dev.kymo.agent.weave;

import dev.kymo.format.Definition;
import dev.kymo.format.ThreadRecord;
import dev.kymo.recorder.ProcessRecorder;
import dev.kymo.recorder.platform.WeakObjects;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Type;

/**
 * Gives methods their numbers and defines them in the recording. A class that is redefined keeps
 * the numbers it had; classes of the same name from different loaders have different ones.
 *
 * <p>Numbers are given once in the life of a process: a method that runs while one recording stops
 * and another one starts leaves with the number with which it was entered.
 *
 * <p>Used by every thread that loads a class, and by threads of the recorder that look through all
 * classes. Nobody who looks takes a lock: the maps are concurrent, and a number does not change.
 * Who needs a new number takes {@link #giving}, the only lock of this class and its classes, and
 * under it only writes the definition.
 */
public final class MethodNumbers {
  /** In place of the boot loader. */
  private static final Object BOOT = new Object();

  private static @Nullable MethodNumbers instance;

  private final WeakObjects<Map<String, TypeNumbers>> types = new WeakObjects<>();
  private final Map<String, TypeNumbers> states = new ConcurrentHashMap<>();

  private final Object giving = new Object();

  // Guarded by it:
  private final List<Definition> defined = new ArrayList<>();
  private Consumer<Definition> recording;
  private int lastType;
  private int lastMethod;

  MethodNumbers(Consumer<Definition> recording) {
    this.recording = recording;
  }

  /** The numbers of this process; all are defined in the recording. */
  public static synchronized MethodNumbers in(ProcessRecorder recorder) {
    MethodNumbers numbers = instance;
    if (numbers == null) {
      numbers = new MethodNumbers(recorder::define);
      instance = numbers;
    } else {
      numbers.defineAll(recorder::define);
    }
    return numbers;
  }

  void defineAll(Consumer<Definition> next) {
    synchronized (giving) {
      recording = next;
      defined.forEach(next);
    }
  }

  /** The caller holds the lock. */
  private void define(Definition definition) {
    defined.add(definition);
    recording.accept(definition);
  }

  /** The numbers of a class, defined if it is new. */
  TypeNumbers type(@Nullable ClassLoader loader, String name, String source) {
    Map<String, TypeNumbers> names = types.getOrPut(key(loader), ConcurrentHashMap::new);
    TypeNumbers known = names.get(name);
    return known != null ? known : newType(names, name, describe(loader), source);
  }

  private TypeNumbers newType(
      Map<String, TypeNumbers> names, String name, String loader, String source) {
    synchronized (giving) {
      TypeNumbers known = names.get(name);
      if (known != null) {
        return known;
      }
      int number = ++lastType;
      define(new Definition.Type(number, name, loader, source));
      TypeNumbers type = new TypeNumbers(number);
      names.put(name, type);
      return type;
    }
  }

  private static Object key(@Nullable ClassLoader loader) {
    return loader == null ? BOOT : loader;
  }

  private @Nullable TypeNumbers known(@Nullable ClassLoader loader, String name) {
    Map<String, TypeNumbers> names = types.get(key(loader));
    return names == null ? null : names.get(name);
  }

  boolean knows(@Nullable ClassLoader loader, String name) {
    return known(loader, name) != null;
  }

  boolean hasOneOf(@Nullable ClassLoader loader, String name, Set<Integer> methods) {
    TypeNumbers type = known(loader, name);
    return type != null && type.hasOneOf(methods);
  }

  /** All methods of the classes that contain these methods. */
  Set<Integer> wovenWith(Set<Integer> some) {
    Set<Integer> all = new HashSet<>();
    for (Map<String, TypeNumbers> names : types.values()) {
      for (TypeNumbers type : names.values()) {
        if (type.hasOneOf(some)) {
          all.addAll(type.methods.values());
        }
      }
    }
    return all;
  }

  /**
   * Number of a kind of state, or of something else that is not a method; defined if it is new. -1
   * when there are no numbers left.
   *
   * @param kind used in place of the class
   * @param name used in place of the method
   */
  public int state(String kind, String name) {
    TypeNumbers known = states.get(kind);
    TypeNumbers type = known != null ? known : newType(states, kind, "", "");
    return type.number(asWritten(name), "", 0, 0);
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

  List<Woven> woven() {
    List<Woven> all = new ArrayList<>();
    for (Map<String, TypeNumbers> names : types.values()) {
      names.forEach((name, type) -> all.add(type.woven(name)));
    }
    return all;
  }

  private static String describe(@Nullable ClassLoader loader) {
    if (loader == null) {
      return "";
    }
    String name = loader.getClass().getName(); // not getName(), which the program may override
    return name + "@" + Integer.toHexString(System.identityHashCode(loader));
  }

  final class TypeNumbers {
    private final int type;
    private final Map<String, Integer> methods = new ConcurrentHashMap<>();
    private volatile int checksum;

    private TypeNumbers(int type) {
      this.type = type;
    }

    /** The class file that contains these methods. */
    void checksum(int sum) {
      checksum = sum;
    }

    private Woven woven(String name) {
      return new Woven(name, checksum, Map.copyOf(methods));
    }

    private boolean hasOneOf(Set<Integer> some) {
      for (Integer number : methods.values()) {
        if (some.contains(number)) {
          return true;
        }
      }
      return false;
    }

    /** Number of a method, defined if it is new; -1 when there are no numbers left. */
    int method(MethodFacts facts) {
      return number(facts.name(), facts.descriptor(), facts.line(), facts.access());
    }

    private int number(String name, String descriptor, int line, int access) {
      String key = name + descriptor;
      Integer known = methods.get(key);
      return known != null ? known : newNumber(key, name, descriptor, line, access);
    }

    private int newNumber(String key, String name, String descriptor, int line, int access) {
      synchronized (giving) {
        Integer known = methods.get(key);
        if (known != null) {
          return known;
        }
        int number = lastMethod < ThreadRecord.MAX_PAYLOAD ? ++lastMethod : -1;
        if (number > 0) {
          define(new Definition.Method(number, type, line, access, name, descriptor));
        }
        methods.put(key, number);
        return number;
      }
    }
  }
}
