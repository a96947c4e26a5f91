package dev.kymo.importers.ctf.tsdl;

import dev.kymo.importers.ctf.type.CtfField;
import dev.kymo.importers.ctf.type.CtfScope;
import dev.kymo.importers.ctf.type.FieldRef;
import dev.kymo.importers.ctf.type.IntType;
import dev.kymo.importers.ctf.type.StructType;
import dev.kymo.importers.ctf.type.Type;
import dev.kymo.importers.ctf.type.VariantType;
import dev.kymo.importers.target.ForeignException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.antlr.v4.runtime.tree.ParseTree;
import org.jspecify.annotations.Nullable;

/**
 * Structures that are being declared, the innermost first: a length or tag that is among their
 * fields is bound where it is written, not where the type is used.
 */
final class Frames {
  private final Problems problems;
  private final Deque<List<CtfField>> frames = new ArrayDeque<>();

  Frames(Problems problems) {
    this.problems = problems;
  }

  void push(List<CtfField> fields) {
    frames.push(fields);
  }

  void pop() {
    frames.pop();
  }

  FieldRef reference(TsdlParser.ReferenceContext tree) throws ForeignException {
    List<String> path = new ArrayList<>();
    for (int i = 0; i < tree.getChildCount(); i += 2) {
      ParseTree part = tree.getChild(i);
      path.add(part.getText());
    }
    CtfScope scope = CtfScope.of(path);
    if (scope != null) {
      return new FieldRef(null, scope, path.subList(scope.path().size(), path.size()), false);
    }
    CtfField found = find(path);
    if (found == null && frames.isEmpty()) {
      throw problems.at(tree, "no such field");
    }
    return new FieldRef(found, null, path, false);
  }

  private @Nullable CtfField find(List<String> path) {
    for (List<CtfField> frame : frames) {
      CtfField found = last(frame, path.get(0));
      for (int i = 1; found != null && i < path.size(); i++) {
        found = found.type() instanceof StructType inner ? inner.field(path.get(i)) : null;
      }
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  private static @Nullable CtfField last(List<CtfField> fields, String name) {
    for (int i = fields.size() - 1; i >= 0; i--) {
      if (fields.get(i).name().equals(name)) {
        return fields.get(i);
      }
    }
    return null;
  }

  void checkLength(FieldRef length, TsdlParser.ReferenceContext where) throws ForeignException {
    CtfField target = length.target();
    if (target != null
        && !(target.type() instanceof IntType number && !number.signed() && number.bits() <= 64)) {
      throw problems.at(where, "length of a sequence is not an unsigned integer");
    }
  }

  /** Checks a tag whose field is known, and that it can select something. */
  void checkTag(FieldRef tag, List<VariantType.Option> options, TsdlParser.VariantContext where)
      throws ForeignException {
    CtfField target = tag.target();
    if (target == null) {
      return;
    }
    Type type = target.type();
    if (!(type instanceof IntType number) || number.labels() == null) {
      throw problems.at(where, "tag of a variant is not an enumeration");
    }
    boolean any = options.isEmpty();
    for (VariantType.Option option : options) {
      any |= number.labels().has(option.field().name());
    }
    if (!any) {
      throw problems.at(where, "tag of a variant selects none of its fields");
    }
  }
}
