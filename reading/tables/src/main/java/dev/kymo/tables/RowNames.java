package dev.kymo.tables;

import dev.kymo.analysis.summary.MethodSummary;
import dev.kymo.model.definitions.TracedMethod;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Names of methods in the rows of a table, as short as possible. */
final class RowNames {
  private record Name(int process, String name) {}

  private final Map<Name, Set<String>> descriptors = new HashMap<>();
  private final boolean severalProcesses;

  RowNames(List<MethodSummary> rows) {
    Set<Integer> processes = new HashSet<>();
    for (MethodSummary row : rows) {
      TracedMethod method = row.method();
      processes.add(method.process());
      descriptors.computeIfAbsent(name(method), n -> new HashSet<>()).add(method.descriptor());
    }
    severalProcesses = processes.size() > 1;
  }

  /** The name; of methods of the same name with their parameters, and of several processes. */
  String of(TracedMethod method) {
    boolean overloaded = descriptors.getOrDefault(name(method), Set.of()).size() > 1;
    return method.qualifiedName()
        + (overloaded ? parameters(method.descriptor()) : "")
        + (severalProcesses ? ", process " + method.process() : "");
  }

  private static Name name(TracedMethod method) {
    return new Name(method.process(), method.qualifiedName());
  }

  /** {@code (int, String)}; of native functions as their names have them. */
  private static String parameters(String descriptor) {
    try {
      return MethodTypeDesc.ofDescriptor(descriptor).parameterList().stream()
          .map(ClassDesc::displayName)
          .collect(Collectors.joining(", ", "(", ")"));
    } catch (IllegalArgumentException e) {
      return descriptor;
    }
  }
}
