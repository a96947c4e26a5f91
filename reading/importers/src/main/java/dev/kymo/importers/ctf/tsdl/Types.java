package dev.kymo.importers.ctf.tsdl;

import dev.kymo.importers.ctf.type.ArrayType;
import dev.kymo.importers.ctf.type.CtfField;
import dev.kymo.importers.ctf.type.FieldRef;
import dev.kymo.importers.ctf.type.StructType;
import dev.kymo.importers.ctf.type.TextType;
import dev.kymo.importers.ctf.type.Type;
import dev.kymo.importers.ctf.type.VariantType;
import dev.kymo.importers.target.ForeignException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.antlr.v4.runtime.ParserRuleContext;
import org.antlr.v4.runtime.tree.ParseTree;
import org.antlr.v4.runtime.tree.TerminalNode;
import org.jspecify.annotations.Nullable;

/** Types as they are written, and their names. */
final class Types {
  /** Deeper ones are made to break readers. */
  private static final int DEEPEST = 64;

  private static final int LARGEST = 1_000_000;

  private final Problems problems;
  private final Numbers numbers;
  private final Frames frames;

  Types(Problems problems, boolean big) {
    this.problems = problems;
    this.numbers = new Numbers(problems, big);
    this.frames = new Frames(problems);
  }

  /** A type, with the stars after it, which are part of a type's name. */
  Type type(TsdlParser.TypeContext tree, int pointers, Names names) throws ForeignException {
    if (pointers > 0) {
      return named(name(tree) + " *".repeat(pointers), tree, names);
    }
    if (tree.integer() != null) {
      return numbers.integer(tree.integer());
    }
    if (tree.floating() != null) {
      return numbers.floating(tree.floating());
    }
    if (tree.structure() != null) {
      return structure(tree.structure(), names);
    }
    if (tree.enumeration() != null) {
      return enumeration(tree.enumeration(), names);
    }
    if (tree.variant() != null) {
      return variant(tree.variant(), names);
    }
    if (tree.name() != null || tree.NAME() != null) {
      return named(name(tree), tree, names);
    }
    Numbers.encoded(Attributes.of(problems, tree, tree.attribute()));
    return new TextType(StandardCharsets.UTF_8, 1);
  }

  private static String name(TsdlParser.TypeContext tree) {
    return tree.name() != null
        ? words(tree.name())
        : tree.getStart().getText() + (tree.NAME() == null ? "" : " " + tree.NAME().getText());
  }

  /** {@code unsigned long}: words with a space between them; {@code const} says nothing. */
  private static String words(ParseTree tree) {
    List<String> words = new ArrayList<>();
    collect(tree, words);
    return words.stream().filter(word -> !word.equals("const")).collect(Collectors.joining(" "));
  }

  private static void collect(ParseTree tree, List<String> words) {
    if (tree instanceof TerminalNode) {
      words.add(tree.getText());
    }
    for (int i = 0; i < tree.getChildCount(); i++) {
      collect(tree.getChild(i), words);
    }
  }

  private Type named(String name, ParserRuleContext where, Names names) throws ForeignException {
    Type type = names.find(name);
    if (type == null) {
      throw problems.at(where.getStart(), "no such type", "type=\"" + Problems.cut(name) + "\"");
    }
    return type;
  }

  private <T extends Type> T define(
      String kind, @Nullable TerminalNode name, T type, Names names, ParserRuleContext where)
      throws ForeignException {
    if (name != null) {
      add(kind + " " + name.getText(), type, names, where);
    }
    return bounded(type, where);
  }

  private void add(String name, Type type, Names names, ParserRuleContext where)
      throws ForeignException {
    if (!names.add(name, type)) {
      throw problems.at(
          where.getStart(), "type is defined twice", "type=\"" + Problems.cut(name) + "\"");
    }
  }

  private <T extends Type> T bounded(T type, ParserRuleContext where) throws ForeignException {
    if (type.depth() > DEEPEST || type.size() > LARGEST) {
      throw problems.at(where, "type is too deep or too large");
    }
    return type;
  }

  StructType structure(TsdlParser.StructureContext tree, Names outer) throws ForeignException {
    int align = 1;
    if (tree.NUMBER() != null) {
      long wanted = numbers.length(tree.NUMBER().getText(), tree);
      if (Long.bitCount(wanted) != 1 || wanted > 1 << 20) {
        throw problems.at(tree.NUMBER().getSymbol(), "align is not a power of two", "");
      }
      align = (int) wanted;
    }
    StructType type = StructType.of(members(tree.member(), outer), align);
    return define("struct", tree.NAME(), type, outer, tree);
  }

  private List<CtfField> members(List<TsdlParser.MemberContext> list, Names outer)
      throws ForeignException {
    Names names = new Names(outer);
    List<CtfField> fields = new ArrayList<>();
    frames.push(fields);
    for (TsdlParser.MemberContext each : list) {
      member(each, names, fields);
    }
    frames.pop();
    return fields;
  }

  private void member(TsdlParser.MemberContext tree, Names names, List<CtfField> fields)
      throws ForeignException {
    if (tree.alias() != null) {
      alias(tree.alias(), names);
    } else if (tree.definition() != null) {
      definition(tree.definition(), names);
    } else {
      Type base = tree.declarator(0).pointer().isEmpty() ? type(tree.type(), 0, names) : null;
      for (TsdlParser.DeclaratorContext each : tree.declarator()) {
        String name = each.NAME().getText();
        for (CtfField field : fields) {
          if (field.name().equals(name)) {
            throw problems.at(each, "field is there twice");
          }
        }
        fields.add(new CtfField(name, declared(tree.type(), base, each, names), Set.of()));
      }
    }
  }

  /** The type of one of the things that are declared together. */
  private Type declared(
      TsdlParser.TypeContext tree,
      @Nullable Type base,
      TsdlParser.DeclaratorContext declarator,
      Names names)
      throws ForeignException {
    int pointers = declarator.pointer().size();
    Type type = base != null && pointers == 0 ? base : type(tree, pointers, names);
    List<TsdlParser.LengthContext> lengths = declarator.length();
    for (int i = lengths.size() - 1; i >= 0; i--) {
      type = bounded(array(type, lengths.get(i)), declarator);
    }
    return type;
  }

  private ArrayType array(Type element, TsdlParser.LengthContext length) throws ForeignException {
    if (length.NUMBER() != null) {
      long count = numbers.length(length.NUMBER().getText(), length);
      return ArrayType.of(element, 1, count, null);
    }
    FieldRef in = frames.reference(length.reference());
    frames.checkLength(in, length.reference());
    return ArrayType.of(element, 1, 0, in);
  }

  private Type enumeration(TsdlParser.EnumerationContext tree, Names names)
      throws ForeignException {
    Type container =
        tree.integer() != null
            ? numbers.integer(tree.integer())
            : names.find(tree.name() == null ? "int" : words(tree.name()));
    return define("enum", tree.NAME(), numbers.enumeration(tree, container), names, tree);
  }

  private VariantType variant(TsdlParser.VariantContext tree, Names names) throws ForeignException {
    List<VariantType.Option> options = options(tree, names);
    FieldRef tag = tree.reference() == null ? null : frames.reference(tree.reference());
    if (tag != null) {
      frames.checkTag(tag, options, tree);
    }
    VariantType type = VariantType.of(tag, options);
    boolean defines = tree.OPEN() != null;
    return define("variant", defines ? tree.NAME() : null, type, names, tree);
  }

  private List<VariantType.Option> options(TsdlParser.VariantContext tree, Names names)
      throws ForeignException {
    if (tree.OPEN() == null) {
      if (tree.NAME() != null
          && names.find("variant " + tree.NAME().getText()) instanceof VariantType known) {
        return known.options();
      }
      throw problems.at(tree, "no such variant");
    }
    List<CtfField> fields = new ArrayList<>();
    Names inner = new Names(names);
    for (TsdlParser.MemberContext each : tree.member()) {
      member(each, inner, fields);
    }
    List<VariantType.Option> options = new ArrayList<>();
    for (CtfField field : fields) {
      options.add(new VariantType.Option(field, null));
    }
    return options;
  }

  /** A definition without a field of it. */
  void definition(TsdlParser.DefinitionContext tree, Names names) throws ForeignException {
    if (tree.structure() != null) {
      structure(tree.structure(), names);
    } else if (tree.enumeration() != null) {
      enumeration(tree.enumeration(), names);
    } else {
      variant(tree.variant(), names);
    }
  }

  void alias(TsdlParser.AliasContext tree, Names names) throws ForeignException {
    if (tree instanceof TsdlParser.TypeDefinitionContext definition) {
      Type base =
          definition.declarator(0).pointer().isEmpty() ? type(definition.type(), 0, names) : null;
      for (TsdlParser.DeclaratorContext each : definition.declarator()) {
        add(each.NAME().getText(), declared(definition.type(), base, each, names), names, each);
      }
    } else if (tree instanceof TsdlParser.TypeAliasContext alias) {
      Type type = type(alias.type(), alias.pointer().size(), names);
      TsdlParser.TargetContext to = alias.target();
      String name =
          to.name() == null
              ? to.getStart().getText() + " " + to.NAME().getText()
              : words(to.name()) + " *".repeat(to.pointer().size());
      add(name, type, names, to);
    }
  }
}
