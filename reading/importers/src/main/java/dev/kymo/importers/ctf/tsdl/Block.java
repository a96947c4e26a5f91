package dev.kymo.importers.ctf.tsdl;

import dev.kymo.importers.ctf.type.StructType;
import dev.kymo.importers.ctf.type.Type;
import dev.kymo.importers.target.ForeignException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A block of the metadata: its attributes, and the types that are assigned in it. */
final class Block {
  private final Problems problems;
  private final TsdlParser.BlockContext tree;
  private final Attributes attributes;
  private final Map<String, Type> types = new HashMap<>();

  Block(Problems problems, TsdlParser.BlockContext tree, Types reader, Names outer)
      throws ForeignException {
    this.problems = problems;
    this.tree = tree;
    this.attributes = new Attributes(problems, tree);
    Names names = new Names(outer);
    for (TsdlParser.EntryContext each : tree.entry()) {
      if (each.assignment() != null) {
        assign(each.assignment(), reader, names);
      } else if (each.definition() != null) {
        reader.definition(each.definition(), names);
      } else if (each.alias() != null) {
        reader.alias(each.alias(), names);
      }
    }
  }

  private void assign(TsdlParser.AssignmentContext tree, Types reader, Names names)
      throws ForeignException {
    if (tree.value() != null) {
      attributes.add(tree.path(), tree.value());
      return;
    }
    if (tree.type() == null) {
      throw problems.at(tree, "a type is assigned with := only");
    }
    Type type = reader.type(tree.type(), tree.pointer().size(), names);
    if (types.put(tree.path().getText(), type) != null) {
      throw problems.at(tree.path(), "attribute is there twice");
    }
  }

  String kind() {
    return tree.kind.getText();
  }

  Attributes attributes() {
    return attributes;
  }

  TsdlParser.BlockContext tree() {
    return tree;
  }

  /** A structure that is assigned; an empty one if it is absent. */
  StructType structure(String name) throws ForeignException {
    Type type = types.get(name);
    if (type == null) {
      if (attributes.has(name)) {
        throw attributes.problem(name, name + " is not a structure");
      }
      return StructType.EMPTY;
    }
    if (!(type instanceof StructType structure)) {
      throw problems.at(tree, name + " is not a structure");
    }
    return structure;
  }

  ForeignException problem(String problem) {
    return problems.at(tree, problem);
  }

  /** A number that names something; null if it is absent. */
  @Nullable Long id(String name) throws ForeignException {
    if (types.containsKey(name)) {
      throw problem(name + " is not a number");
    }
    java.math.BigInteger number = attributes.number(name);
    if (number != null && number.signum() < 0) {
      throw problem(name + " is negative");
    }
    return number == null ? null : number.longValue();
  }
}
