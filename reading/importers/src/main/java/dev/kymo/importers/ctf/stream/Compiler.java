package dev.kymo.importers.ctf.stream;

import dev.kymo.importers.ctf.type.ArrayType;
import dev.kymo.importers.ctf.type.BlobType;
import dev.kymo.importers.ctf.type.CtfField;
import dev.kymo.importers.ctf.type.CtfScope;
import dev.kymo.importers.ctf.type.EnumerationLabels;
import dev.kymo.importers.ctf.type.FieldRef;
import dev.kymo.importers.ctf.type.FloatType;
import dev.kymo.importers.ctf.type.IntType;
import dev.kymo.importers.ctf.type.OptionalType;
import dev.kymo.importers.ctf.type.Ranges;
import dev.kymo.importers.ctf.type.Role;
import dev.kymo.importers.ctf.type.StructType;
import dev.kymo.importers.ctf.type.TextType;
import dev.kymo.importers.ctf.type.Type;
import dev.kymo.importers.ctf.type.VariantType;
import dev.kymo.importers.ctf.type.VaryingType;
import dev.kymo.importers.target.ForeignException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Makes a list of nodes of the structure of one scope: members of structures lie in it flat. */
final class Compiler {
  private final Path metadata;
  private final Roles roles;
  private final @Nullable UUID uuid;
  private final Slots slots;
  private final CtfScope scope;
  private final List<Node> nodes = new ArrayList<>();
  private final List<Leaf> leaves = new ArrayList<>();

  Compiler(Path metadata, Roles roles, @Nullable UUID uuid, Slots slots, CtfScope scope) {
    this.metadata = metadata;
    this.roles = roles;
    this.uuid = uuid;
    this.slots = slots;
    this.scope = scope;
  }

  Compiler compile(StructType type) throws ForeignException {
    flatten(type, "", slots.root(scope));
    return this;
  }

  List<Node> nodes() {
    return nodes;
  }

  List<Leaf> leaves() {
    return leaves;
  }

  private void flatten(StructType type, String prefix, Slots.Frame frame) throws ForeignException {
    if (type.align() > 1) {
      nodes.add(new Node.Align(type.align()));
    }
    for (CtfField field : type.fields()) {
      String name = prefix + shown(field.name());
      if (field.type() instanceof StructType inner) {
        Slots.Frame within = new Slots.Frame(frame);
        flatten(inner, name + ".", within);
        slots.bind(frame, new Slots.Entry(field, -1, within));
      } else {
        nodes.add(leaf(field, name, frame));
      }
    }
  }

  /** Fields have an underscore before their names so that they are no keywords. */
  private static String shown(String name) {
    return name.length() > 1 && name.startsWith("_") ? name.substring(1) : name;
  }

  private Node leaf(CtfField field, String name, Slots.Frame frame) throws ForeignException {
    Node node = node(field, frame);
    switch (field.type()) {
      case IntType number when number.bits() <= Long.SIZE ->
          leaf(name, Leaf.Kind.INTEGER, number.bits(), number.signed(), number.labels());
      case VaryingType number ->
          leaf(name, Leaf.Kind.INTEGER, Long.SIZE, number.signed(), number.labels());
      case FloatType number -> leaf(name, Leaf.Kind.FLOAT, number.bits(), true, null);
      case TextType text -> leaf(name, Leaf.Kind.TEXT, 0, false, null);
      case BlobType blob ->
          leaf(name, blob.charset() == null ? Leaf.Kind.BYTES : Leaf.Kind.TEXT, 0, false, null);
      case ArrayType array when array.isText() -> leaf(name, Leaf.Kind.TEXT, 0, false, null);
      default -> {
        if (scope.compareTo(CtfScope.EVENT_HEADER) <= 0) {
          return node; // nobody reads it
        }
        int slot = slots.take();
        leaves.add(new Leaf(name, Leaf.Kind.WRITTEN, slot, 0, false, null));
        return new Node.Written(node, slot);
      }
    }
    return node;
  }

  private void leaf(
      String name, Leaf.Kind kind, int bits, boolean signed, @Nullable EnumerationLabels labels) {
    leaves.add(new Leaf(name, kind, slots.count() - 1, bits, signed, labels));
  }

  /** A node with a slot, to which references are bound. */
  private Node node(CtfField field, Slots.Frame frame) throws ForeignException {
    Type type = field.type();
    Role role = roles.of(field, scope);
    if (role == Role.UUID && isId(type)) {
      slots.take();
      return new Node.Id(uuid);
    }
    if (type instanceof StructType structure) {
      Slots.Frame within = new Slots.Frame(frame);
      Node node = struct(structure, within);
      slots.bind(frame, new Slots.Entry(field, -1, within));
      return node;
    }
    if (type instanceof VariantType variant) {
      Slots.Frame within = new Slots.Frame(frame);
      Node node = variant(variant, within, frame);
      slots.bind(frame, new Slots.Entry(field, -1, within));
      return node;
    }
    Node node = node(type, role, frame);
    slots.bind(frame, new Slots.Entry(field, slots.count() - 1, null));
    return node;
  }

  private static boolean isId(Type type) {
    return (type instanceof ArrayType array
            && array.lengthIn() == null
            && array.length() == 16
            && array.element() instanceof IntType number
            && number.bits() == 8
            && number.align() <= 8)
        || (type instanceof BlobType blob && blob.lengthIn() == null && blob.length() == 16);
  }

  private Node node(Type type, @Nullable Role role, Slots.Frame frame) throws ForeignException {
    int of = role == null ? -1 : role.slot();
    boolean ticks = role != null && roles.ticks(role, type, scope);
    return switch (type) {
      case IntType number -> number(number, of, ticks);
      case VaryingType number ->
          new Node.Varying(
              number.signed(),
              new Node.Style(number.signed(), Long.SIZE, number.base(), number.labels()),
              slots.take(),
              of,
              ticks);
      case FloatType number ->
          new Node.Floating(
              number.bits(), number.align(), number.big(), number.reversed(), slots.take());
      case TextType text -> new Node.Text(text.charset(), text.unit(), slots.take());
      case BlobType blob -> bytes(blob.length(), blob.lengthIn(), blob.charset(), frame);
      case ArrayType array -> array(array, frame);
      case OptionalType optional -> optional(optional, role, frame);
      case StructType structure -> struct(structure, new Slots.Frame(frame));
      case VariantType variant -> variant(variant, new Slots.Frame(frame), frame);
    };
  }

  private Node number(IntType type, int role, boolean ticks) {
    int slot = slots.take();
    if (type.bits() > Long.SIZE) {
      return new Node.LargeInt(type.bits(), type.align(), type.signed(), type.big(), slot);
    }
    return new Node.Int(
        type.bits(),
        type.align(),
        type.signed(),
        type.big(),
        type.reversed(),
        new Node.Style(type.signed(), type.bits(), type.base(), type.labels()),
        slot,
        role,
        ticks);
  }

  private Node bytes(
      long fixed, @Nullable FieldRef in, @Nullable Charset charset, Slots.Frame frame)
      throws ForeignException {
    Node.Length length = length(fixed, in, frame);
    return new Node.Bytes(length, charset, slots.take());
  }

  private Node array(ArrayType type, Slots.Frame frame) throws ForeignException {
    if (type.isText()) {
      return bytes(type.length(), type.lengthIn(), StandardCharsets.UTF_8, frame);
    }
    Node.Length length = length(type.length(), type.lengthIn(), frame);
    return new Node.Elements(node(type.element(), null, frame), type.align(), length);
  }

  private Node.Length length(long fixed, @Nullable FieldRef in, Slots.Frame frame)
      throws ForeignException {
    if (in == null) {
      return new Node.Length(fixed, -1);
    }
    Slots.Entry entry = find(in, frame);
    boolean unsigned =
        (entry.type() instanceof IntType number && !number.signed() && number.bits() <= Long.SIZE)
            || (entry.type() instanceof VaryingType varying && !varying.signed());
    if (!unsigned) {
      throw problem("a length is not an unsigned integer", in);
    }
    return new Node.Length(0, entry.slot());
  }

  private Slots.Entry find(FieldRef reference, Slots.Frame frame) throws ForeignException {
    Slots.Entry entry = slots.find(reference, frame);
    if (entry == null || entry.slot() < 0) {
      throw problem("no such field before the field that needs it", reference);
    }
    return entry;
  }

  private ForeignException problem(String problem, FieldRef reference) {
    String place = scope.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    String facts = "field=\"" + reference + "\" in=\"" + place + "\"";
    return new ForeignException(problem, metadata, 0, facts);
  }

  private Node struct(StructType type, Slots.Frame frame) throws ForeignException {
    List<CtfField> fields = type.fields();
    String[] names = new String[fields.size()];
    Node[] members = new Node[fields.size()];
    for (int i = 0; i < members.length; i++) {
      names[i] = shown(fields.get(i).name());
      members[i] = node(fields.get(i), frame);
    }
    return new Node.Struct(type.align(), names, members);
  }

  private Node variant(VariantType type, Slots.Frame within, Slots.Frame frame)
      throws ForeignException {
    FieldRef tag = type.selector();
    if (tag == null) {
      throw new ForeignException("a variant has no tag", metadata, 0, "");
    }
    Slots.Entry selector = find(tag, frame);
    int count = type.options().size();
    @Nullable Ranges[] when = new Ranges[count];
    Node[] options = new Node[count];
    for (int i = 0; i < count; i++) {
      VariantType.Option option = type.options().get(i);
      when[i] = option.when() == null ? labelled(selector, option, tag) : option.when();
      options[i] = node(option.field(), within);
    }
    return new Node.Variant(selector.slot(), when, options);
  }

  private @Nullable Ranges labelled(Slots.Entry selector, VariantType.Option option, FieldRef tag)
      throws ForeignException {
    if (!(selector.type() instanceof IntType number) || number.labels() == null) {
      throw problem("tag of a variant is not an enumeration", tag);
    }
    return number.labels().ranges(option.field().name());
  }

  private Node optional(OptionalType type, @Nullable Role role, Slots.Frame frame)
      throws ForeignException {
    Slots.Entry selector = find(type.selector(), frame);
    return new Node.Optional(selector.slot(), type.when(), node(type.type(), role, frame));
  }
}
