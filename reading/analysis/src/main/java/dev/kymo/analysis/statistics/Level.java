package dev.kymo.analysis.statistics;

import dev.kymo.model.definitions.TracedMethod;
import java.util.function.Function;

/** How coarse the groups of methods or states are. */
public enum Level implements Function<TracedMethod, String> {
  /** Packages; of native functions the file that they are in. */
  PACKAGE {
    @Override
    public String apply(TracedMethod method) {
      int dot = method.type().lastIndexOf('.');
      return dot > 0 ? method.type().substring(0, dot) : none(method, NO_PACKAGE);
    }
  },
  /** Classes, or kinds of states; of native functions the file that they are in. */
  CLASS {
    @Override
    public String apply(TracedMethod method) {
      return method.type().isEmpty() ? none(method, NO_CLASS) : method.type();
    }
  },
  /** Each by itself. */
  METHOD {
    @Override
    public String apply(TracedMethod method) {
      return method.qualifiedName();
    }
  };

  private static final String NO_PACKAGE = "(no package)";
  private static final String NO_CLASS = "(no class)";

  /** Native functions have no class, and their library in the place of the loader. */
  private static String none(TracedMethod method, String otherwise) {
    String file = method.loader();
    boolean isNative = method.type().isEmpty() && !file.isEmpty();
    return isNative ? file.substring(file.lastIndexOf('/') + 1) : otherwise;
  }
}
