package dev.kymo.importers.jfr;

import dev.kymo.importers.jfr.reader.Constants;
import dev.kymo.importers.jfr.reader.JfrField;
import dev.kymo.importers.jfr.reader.JfrStack;
import dev.kymo.importers.jfr.reader.JfrType;
import dev.kymo.importers.target.TargetProcess;
import dev.kymo.importers.target.TargetProcess.Code;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Numbers of a chunk's stacks and methods in the recording. */
final class Stacks {
  /** Stands for the frames that a stack has lost. */
  private static final String TRUNCATED = "(frames not recorded)";

  private final TargetProcess process;
  private final Constants constants;
  private final Names names;
  private final Map<Long, Integer> stacks = new HashMap<>();
  private final Map<Long, Integer> functions = new HashMap<>();

  Stacks(TargetProcess process, Constants constants, Names names) {
    this.process = process;
    this.constants = constants;
    this.names = names;
  }

  /** The stack that a field has; 0 = none. */
  int of(JfrField field, @Nullable Object value) throws IOException {
    if (!(value instanceof Long key)) {
      return 0;
    }
    Integer known = stacks.get(key);
    if (known == null) {
      known = constants.get(field.type(), key) instanceof JfrStack stack ? make(stack) : 0;
      stacks.put(key, known);
    }
    return known;
  }

  private int make(JfrStack stack) throws IOException {
    int number = stack.isTruncated() ? process.stack(0, process.function(TRUNCATED)) : 0;
    for (int frame = stack.depth() - 1; frame >= 0; frame--) {
      number = process.stack(number, function(stack, frame));
    }
    return number;
  }

  private int function(JfrStack stack, int frame) throws IOException {
    long key = stack.key(frame);
    Integer known = functions.get(key);
    if (known == null) {
      known = function(stack.methodType(), stack.method(frame, constants));
      functions.put(key, known);
    }
    return known;
  }

  int function(@Nullable JfrType type, Object @Nullable [] method) throws IOException {
    if (type == null || method == null) {
      return process.function("unknown");
    }
    return process.function(
        Code.of(names.text(type, method, "type")),
        names.text(type, method, "name"),
        names.text(type, method, "descriptor"),
        0);
  }
}
