package dev.kymo.instructions.listing;

import dev.kymo.instructions.calls.InstructionTrace;
import dev.kymo.instructions.trace.FunctionFile;
import dev.kymo.instructions.trace.Functions;
import dev.kymo.instructions.trace.ProcessFacts;
import dev.kymo.instructions.trace.SystemCalls;
import dev.kymo.instructions.trace.TracedModule;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Names of a process's code. */
final class CodeNames {
  private static final SystemCalls SYSTEM_CALLS = new SystemCalls();

  private final ProcessFacts facts;
  private final TreeMap<Long, String> functions = new TreeMap<>();

  /**
   * Takes the names of a process's functions.
   *
   * @param methodNames what the recording calls them, which counts more than the trace's own names
   */
  CodeNames(InstructionTrace trace, ProcessFacts facts, InstructionListing.MethodNames methodNames)
      throws IOException {
    this.facts = facts;
    FunctionFile file = trace.functions(facts.number());
    for (FunctionFile.Function function : file.functions()) {
      functions.put(function.address(), function.name());
    }
    List<Long> methods = file.methods();
    for (int i = 0; i < methods.size(); i++) {
      long address = methods.get(i);
      if (Functions.isCode(address)) {
        String name = methodNames.name(facts.number(), i + 1);
        if (!name.isEmpty() || !functions.containsKey(address)) {
          functions.put(address, name);
        }
      }
    }
  }

  Set<Long> addresses(String name) {
    return functions.entrySet().stream()
        .filter(function -> function.getValue().equals(name))
        .map(Map.Entry::getKey)
        .collect(Collectors.toUnmodifiableSet());
  }

  /**
   * The function that an address lies in, {@code main+0x1c}; empty if none is known.
   *
   * @param module that the address lies in; null: in none
   */
  String function(@Nullable TracedModule module, long address) {
    Map.Entry<Long, String> floor = functions.floorEntry(address);
    if (floor == null || (module != null && !module.contains(floor.getKey()))) {
      return "";
    }
    String name =
        floor.getValue().isEmpty()
            ? "0x"
                + Long.toHexString(
                    module == null
                        ? floor.getKey()
                        : floor.getKey() - module.address() + module.offset())
            : floor.getValue();
    long distance = address - floor.getKey();
    return distance == 0 ? name : name + "+0x" + Long.toHexString(distance);
  }

  /** The file that an address lies in; null: none. */
  @Nullable TracedModule module(long address) {
    return facts.module(address);
  }

  /**
   * The file and the function that an address lies in, as far as they are known, or the address.
   */
  String place(long address) {
    TracedModule module = facts.module(address);
    String function = function(module, address);
    String place = (module == null ? "" : module.name() + " ") + function;
    return function.isEmpty() ? (place + "0x" + Long.toHexString(address)) : place;
  }

  /** What something is called that is a call: a function, system call, signal and so on. */
  String subject(long address) {
    int number = (int) address;
    if (Functions.is(Functions.SIGNAL, address)) {
      return SystemCalls.signal(number);
    }
    if (Functions.is(Functions.SYSTEM_CALL, address)) {
      return SYSTEM_CALLS.name(number);
    }
    if (Functions.is(Functions.ENTRY, address)) {
      ProcessFacts.Entry entry = facts.entries().get(number);
      return entry == null ? "entry " + number : entry.name();
    }
    return place(address);
  }
}
