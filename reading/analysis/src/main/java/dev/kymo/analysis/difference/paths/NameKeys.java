package dev.kymo.analysis.difference.paths;

import dev.kymo.model.definitions.TracedMethod;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Numbers names, the same in all recordings that are compared. Numbers that a virtual machine gives
 * to classes that it makes up are no part of a name: they differ from run to run. Safe for use by
 * several threads.
 */
public final class NameKeys {
  private static final Pattern HIDDEN = Pattern.compile("[/+.@]0x[0-9a-f]{6,}");
  private static final Pattern MADE_UP =
      Pattern.compile(
          "(\\$\\$Lambda|\\$Proxy|GeneratedMethodAccessor|GeneratedConstructorAccessor|LambdaForm\\$\\w+)"
              + "[$/]?\\d+");

  private final Map<String, Integer> keys = new HashMap<>();
  private final List<String> names = new ArrayList<>();

  public NameKeys() {}

  public synchronized int of(String name) {
    String same = same(name);
    return keys.computeIfAbsent(
        same,
        n -> {
          names.add(n);
          return names.size() - 1;
        });
  }

  /** The number of a method's name. */
  public int of(TracedMethod method) {
    return of(method.name().startsWith("0x") ? method.placeText() : method.qualifiedName());
  }

  /** A name without what differs from run to run. */
  static String same(String name) {
    if (name.indexOf('$') < 0 && name.indexOf("0x") < 0) {
      return name;
    }
    return MADE_UP.matcher(HIDDEN.matcher(name).replaceAll("")).replaceAll("$1");
  }

  public synchronized String name(int key) {
    return names.get(key);
  }

  /** All keys are smaller. */
  public synchronized int size() {
    return names.size();
  }
}
