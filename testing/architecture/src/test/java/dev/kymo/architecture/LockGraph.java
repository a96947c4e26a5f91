package dev.kymo.architecture;

import java.lang.classfile.ClassModel;
import java.lang.classfile.MethodModel;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Which locks may be taken, and what may be waited for, while a lock is held: by all that may be
 * called, as far as class files say it.
 */
final class LockGraph {
  /** Methods of the JDK that wait, by what they wait for. */
  private static final Map<String, Pattern> WAITS =
      Map.of(
          "files",
          Pattern.compile(
              "java/nio/file/Files\\..*|java/nio/channels/FileChannel\\.(open|tryLock|lock|map|read|write).*"
                  + "|java/io/(RandomAccessFile|FileInputStream|FileOutputStream)\\..*"
                  + "|java/io/File\\.(delete|list|listFiles|exists|length|getUsableSpace|mkdirs?|renameTo)\\(.*"),
          "time",
          Pattern.compile(
              "java/lang/Thread\\.(sleep|join)\\(.*|java/lang/Object\\.wait\\(.*"
                  + "|java/util/concurrent/locks/LockSupport\\.park.*"));

  private static final Pattern ANONYMOUS = Pattern.compile("\\$\\d+$");

  private final Map<String, ClassModel> types;
  private final Map<String, Set<String>> subtypes = new HashMap<>();
  private final Map<String, LockedCode> methods = new TreeMap<>();
  private final Map<String, Set<String>> locks;
  private final Map<String, Set<String>> waits;

  /**
   * A lock is taken while another one is held.
   *
   * @param where the method that holds it, and what it calls
   */
  record Taking(String held, String taken, String where) {}

  /**
   * Looks at classes.
   *
   * @param types by their names
   */
  LockGraph(Map<String, ClassModel> types) {
    this.types = types;
    for (ClassModel type : types.values()) {
      String name = type.thisClass().asInternalName();
      type.superclass().ifPresent(above -> addSubtype(above.asInternalName(), name));
      type.interfaces().forEach(above -> addSubtype(above.asInternalName(), name));
      for (MethodModel method : type.methods()) {
        method
            .code()
            .ifPresent(code ->
                methods.put(name + "." + signature(method), new LockedCode(type, method, code)));
      }
    }
    locks = reached(code -> code.regions().stream().map(LockedCode.Region::lock).toList());
    waits = reached(code -> code.calls().stream().flatMap(LockGraph::waitedFor).toList());
  }

  private void addSubtype(String above, String name) {
    of(subtypes, above).add(name);
  }

  private static String signature(MethodModel method) {
    return method.methodName().stringValue() + method.methodType().stringValue();
  }

  private static Stream<String> waitedFor(LockedCode.Call call) {
    String name = call.owner() + "." + call.method();
    return WAITS.entrySet().stream()
        .filter(kind -> kind.getValue().matcher(name).matches())
        .map(Map.Entry::getKey);
  }

  /** What each method does, by itself or by what it calls. */
  private Map<String, Set<String>> reached(Function<LockedCode, List<String>> own) {
    Map<String, Set<String>> reached = new TreeMap<>();
    Map<String, Set<String>> callers = new HashMap<>();
    List<String> changed = new ArrayList<>(methods.keySet());
    methods.forEach((name, code) -> {
      of(reached, name).addAll(own.apply(code));
      for (LockedCode.Call call : code.calls()) {
        for (String called : targets(call)) {
          of(callers, called).add(name);
        }
      }
    });
    while (!changed.isEmpty()) {
      String called = changed.removeLast();
      for (String caller : of(callers, called)) {
        if (of(reached, caller).addAll(of(reached, called))) {
          changed.add(caller);
        }
      }
    }
    return reached;
  }

  private static Set<String> of(Map<String, Set<String>> sets, String name) {
    return sets.computeIfAbsent(name, none -> new TreeSet<>());
  }

  /** The methods that a call may reach. */
  private Set<String> targets(LockedCode.Call call) {
    Set<String> found = new TreeSet<>();
    String above = call.owner();
    while (above != null && !methods.containsKey(above + "." + call.method())) {
      ClassModel type = types.get(above);
      above = type == null ? null : type.superclass().map(s -> s.asInternalName()).orElse(null);
    }
    if (above != null) {
      found.add(above + "." + call.method());
    }
    if (call.isVirtual() && types.containsKey(call.owner())) {
      addBelow(call.owner(), call.method(), found);
    }
    if (ANONYMOUS.matcher(call.owner()).find() && call.method().startsWith("<init>")) {
      ClassModel made = types.get(call.owner());
      if (made != null) { // like a lambda, for whoever calls its methods
        made.methods().forEach(method -> found.add(call.owner() + "." + signature(method)));
        found.retainAll(methods.keySet());
      }
    }
    return found;
  }

  private void addBelow(String owner, String method, Set<String> found) {
    for (String below : of(subtypes, owner)) {
      if (methods.containsKey(below + "." + method)) {
        found.add(below + "." + method);
      }
      addBelow(below, method, found);
    }
  }

  private interface Held {
    void accept(String method, LockedCode code, LockedCode.Region region);
  }

  private void forEachHeld(Held action) {
    methods.forEach(
        (name, code) -> code.regions().forEach(region -> action.accept(name, code, region)));
  }

  /** All locks. */
  Set<String> locks() {
    Set<String> all = new TreeSet<>();
    forEachHeld((method, code, region) -> all.add(region.lock()));
    return all;
  }

  /** All pairs of locks of which one is taken while the other is held, each once. */
  List<Taking> takings() {
    Map<String, Taking> all = new TreeMap<>();
    forEachHeld((method, code, region) -> {
      for (LockedCode.Region other : code.regions()) {
        if (region.has(other)) {
          add(all, new Taking(region.lock(), other.lock(), method));
        }
      }
      for (LockedCode.Call call : code.calls().stream().filter(region::has).toList()) {
        for (String called : targets(call)) {
          for (String taken : of(locks, called)) {
            add(all, new Taking(region.lock(), taken, method + " by " + called));
          }
        }
      }
    });
    return List.copyOf(all.values());
  }

  private static void add(Map<String, Taking> all, Taking taking) {
    all.putIfAbsent(taking.held + " > " + taking.taken, taking);
  }

  /** What is waited for while a lock is held: "files", "time". */
  Set<String> waits(String lock) {
    Set<String> all = new TreeSet<>();
    forEachHeld((method, code, region) -> {
      if (region.lock().equals(lock)) {
        for (LockedCode.Call call : code.calls()) {
          if (region.has(call)) {
            waitedFor(call).forEach(all::add);
            targets(call).forEach(called -> all.addAll(of(waits, called)));
          }
        }
      }
    });
    return all;
  }
}
