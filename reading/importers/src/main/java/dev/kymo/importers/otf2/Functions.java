package dev.kymo.importers.otf2;

import dev.kymo.importers.otf2.archive.ArchiveDefinitions;
import dev.kymo.importers.otf2.archive.Defined;
import dev.kymo.importers.otf2.archive.Defined.Context;
import dev.kymo.importers.otf2.archive.Defined.Region;
import dev.kymo.importers.otf2.archive.Reference;
import dev.kymo.importers.target.Target;
import dev.kymo.importers.target.TargetProcess;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The functions and stacks of one process, by the archive's numbers of regions and contexts. */
final class Functions {
  /** Deeper stacks have lost their outermost functions; and none goes round in a circle. */
  private static final int DEEPEST = 4096;

  private final Target target;
  private final TargetProcess process;
  private final ArchiveDefinitions definitions;
  private final Map<Integer, Integer> functions = new HashMap<>();
  private final Map<Integer, Integer> stacks = new HashMap<>();

  Functions(Target target, TargetProcess process, ArchiveDefinitions definitions) {
    this.target = target;
    this.process = process;
    this.definitions = definitions;
  }

  TargetProcess process() {
    return process;
  }

  int of(int region) throws IOException {
    Integer known = functions.get(region);
    if (known == null) {
      known = define(region);
      functions.put(region, known);
    }
    return known;
  }

  private int define(int id) throws IOException {
    Region region = definitions.region(id);
    String name = definitions.name(Reference.REGION, id);
    if (region == null) {
      target
          .troubles()
          .count("functions are not defined", "region=" + Integer.toUnsignedString(id));
      return process.function(name.isEmpty() ? "undefined" : name);
    }
    TargetProcess.Code code = new TargetProcess.Code("", "", definitions.string(region.file()));
    return process.function(code, name, "", Math.max(0, region.line()));
  }

  int ofContext(int id) throws IOException {
    return of(region(id));
  }

  private int region(int id) {
    Context context = definitions.context(id);
    return context == null ? Defined.NONE : context.region();
  }

  /** Number of the stack that a calling context is; 0 if it is not defined. */
  int stack(int id) throws IOException {
    Integer known = stacks.get(id);
    if (known != null) {
      return known;
    }
    List<Integer> way = new ArrayList<>();
    int at = id;
    for (Context context = definitions.context(at); context != null && way.size() < DEEPEST; ) {
      way.add(at);
      at = context.parent();
      context = stacks.containsKey(at) ? null : definitions.context(at);
    }
    int stack = way.size() < DEEPEST ? stacks.getOrDefault(at, 0) : 0;
    for (int i = way.size() - 1; i >= 0; i--) {
      stack = process.stack(stack, ofContext(way.get(i)));
      stacks.put(way.get(i), stack);
    }
    return stack;
  }
}
