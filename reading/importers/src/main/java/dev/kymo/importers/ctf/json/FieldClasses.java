package dev.kymo.importers.ctf.json;

import dev.kymo.importers.ctf.type.ArrayType;
import dev.kymo.importers.ctf.type.BlobType;
import dev.kymo.importers.ctf.type.CtfField;
import dev.kymo.importers.ctf.type.FieldRef;
import dev.kymo.importers.ctf.type.FloatType;
import dev.kymo.importers.ctf.type.IntType;
import dev.kymo.importers.ctf.type.OptionalType;
import dev.kymo.importers.ctf.type.Role;
import dev.kymo.importers.ctf.type.StructType;
import dev.kymo.importers.ctf.type.TextType;
import dev.kymo.importers.ctf.type.Type;
import dev.kymo.importers.ctf.type.VariantType;
import dev.kymo.importers.ctf.type.VaryingType;
import dev.kymo.importers.target.ForeignException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Types as JSON has them, and their names. */
final class FieldClasses {
  private static final int DEEPEST = 64;
  private static final int LARGEST = 1_000_000;
  private static final Set<Integer> FLOATS = Set.of(16, 32, 64, 128);

  private static final Map<String, Role> ROLES =
      Map.ofEntries(
          Map.entry("packet-magic-number", Role.MAGIC),
          Map.entry("metadata-stream-uuid", Role.UUID),
          Map.entry("data-stream-class-id", Role.STREAM_CLASS),
          Map.entry("data-stream-id", Role.STREAM),
          Map.entry("packet-total-length", Role.PACKET_SIZE),
          Map.entry("packet-content-length", Role.CONTENT_SIZE),
          Map.entry("default-clock-timestamp", Role.TIME),
          Map.entry("packet-end-default-clock-timestamp", Role.END),
          Map.entry("discarded-event-record-counter-snapshot", Role.DISCARDED),
          Map.entry("packet-sequence-number", Role.SEQUENCE),
          Map.entry("event-record-class-id", Role.EVENT_CLASS));

  private final Map<String, Item> aliases = new HashMap<>();

  void alias(Item item) throws ForeignException {
    if (aliases.put(item.needText("name"), item.needItem("field-class")) != null) {
      throw item.problem("field-class-alias is there twice", "name=" + item.text("name"));
    }
  }

  /** The structure of a scope; an empty one if it is absent. */
  StructType structure(Item item, String name) throws ForeignException {
    if (!item.has(name)) {
      return StructType.EMPTY;
    }
    if (!(type(described(item, name), 0) instanceof StructType structure)) {
      throw item.problem("field class of a scope is not a structure", "name=" + name);
    }
    return structure;
  }

  /** A field class in place, or the one that a name stands for. */
  private Item described(Item item, String name) throws ForeignException {
    if (item.get(name) instanceof String alias) {
      Item known = aliases.get(alias);
      if (known == null) {
        throw item.problem("no such field class", "name=" + alias);
      }
      return known;
    }
    return item.needItem(name);
  }

  private Type type(Item item, int depth) throws ForeignException {
    if (depth > DEEPEST) {
      throw item.problem("field classes nest too deep", "max=" + DEEPEST);
    }
    Type type = plain(item, depth);
    if (type.size() > LARGEST) {
      throw item.problem("field class is too large", "max=" + LARGEST);
    }
    return type;
  }

  private Type plain(Item item, int depth) throws ForeignException {
    String kind = item.needText("type");
    return switch (kind) {
      case "fixed-length-bit-array", "fixed-length-bit-map" -> integer(item, false, 16);
      case "fixed-length-boolean", "fixed-length-unsigned-integer" -> integer(item, false, 10);
      case "fixed-length-signed-integer" -> integer(item, true, 10);
      case "fixed-length-floating-point-number" -> floating(item);
      case "variable-length-unsigned-integer" -> varying(item, false);
      case "variable-length-signed-integer" -> varying(item, true);
      case "null-terminated-string" -> {
        Charset charset = charset(item);
        yield new TextType(charset, unit(charset));
      }
      case "static-length-string", "static-length-blob" ->
          new BlobType(length(item), null, kind.endsWith("string") ? charset(item) : null);
      case "dynamic-length-string", "dynamic-length-blob" ->
          new BlobType(
              0,
              place(item, "length-field-location"),
              kind.endsWith("string") ? charset(item) : null);
      case "structure" -> struct(item, depth);
      case "static-length-array" -> array(item, length(item), null, depth);
      case "dynamic-length-array" -> array(item, 0, place(item, "length-field-location"), depth);
      case "optional" ->
          new OptionalType(
              place(item, "selector-field-location"),
              item.has("selector-field-ranges")
                  ? Mappings.ranges(item, item.list("selector-field-ranges"))
                  : null,
              type(described(item, "field-class"), depth + 1));
      case "variant" -> variant(item, depth);
      default -> throw item.problem("field class is of an unknown type", "type=" + kind);
    };
  }

  private static long length(Item item) throws ForeignException {
    return item.number("length", 0, 0, Integer.MAX_VALUE);
  }

  private static boolean big(Item item) throws ForeignException {
    String order = item.text("byte-order");
    if (order == null || order.equals("little-endian")) {
      return false;
    }
    if (order.equals("big-endian")) {
      return true;
    }
    throw item.problem("no byte order", "byte-order=" + order);
  }

  private static boolean reversed(Item item, boolean big) throws ForeignException {
    String order = item.text("bit-order");
    return order != null && !order.equals(big ? "last-to-first" : "first-to-last");
  }

  private static int base(Item item, int absent) throws ForeignException {
    return (int) item.number("preferred-display-base", absent, 2, 16);
  }

  private static IntType integer(Item item, boolean signed, int base) throws ForeignException {
    boolean big = big(item);
    return new IntType(
        (int) item.number("length", 0, 1, 1 << 16),
        item.align("alignment", 1),
        signed,
        big,
        reversed(item, big),
        base(item, base),
        false,
        null,
        Mappings.labels(item, signed));
  }

  private static FloatType floating(Item item) throws ForeignException {
    int bits = (int) item.number("length", 0, 1, 128);
    if (!FLOATS.contains(bits)) {
      throw item.problem("floating point number has an unknown size", "length=" + bits);
    }
    boolean big = big(item);
    return new FloatType(bits, item.align("alignment", 1), big, reversed(item, big));
  }

  private static VaryingType varying(Item item, boolean signed) throws ForeignException {
    return new VaryingType(signed, base(item, 10), Mappings.labels(item, signed));
  }

  private static Charset charset(Item item) throws ForeignException {
    String name = item.text("encoding");
    if (name == null) {
      return StandardCharsets.UTF_8;
    }
    return switch (name) {
      case "utf-8" -> StandardCharsets.UTF_8;
      case "utf-16be" -> StandardCharsets.UTF_16BE;
      case "utf-16le" -> StandardCharsets.UTF_16LE;
      case "utf-32be" -> Charset.forName("UTF-32BE");
      case "utf-32le" -> Charset.forName("UTF-32LE");
      default -> throw item.problem("no encoding of characters", "encoding=" + name);
    };
  }

  private static int unit(Charset charset) {
    String name = charset.name();
    return name.startsWith("UTF-32") ? 4 : name.startsWith("UTF-16") ? 2 : 1;
  }

  private StructType struct(Item item, int depth) throws ForeignException {
    List<CtfField> fields = new ArrayList<>();
    for (Item member : item.items("member-classes")) {
      fields.add(field(member, member.needText("name"), depth));
    }
    return StructType.of(fields, item.align("minimum-alignment", 1));
  }

  private CtfField field(Item item, String name, int depth) throws ForeignException {
    Item described = described(item, "field-class");
    return new CtfField(name, type(described, depth + 1), roles(described));
  }

  /** Roles that are unknown tell a reader nothing that it must know. */
  private static Set<Role> roles(Item item) throws ForeignException {
    Set<Role> roles = EnumSet.noneOf(Role.class);
    for (Object name : item.list("roles")) {
      Role role = name instanceof String text ? ROLES.get(text) : null;
      if (role != null) {
        roles.add(role);
      }
    }
    return roles;
  }

  private ArrayType array(Item item, long length, @Nullable FieldRef in, int depth)
      throws ForeignException {
    Type element = type(described(item, "element-field-class"), depth + 1);
    return ArrayType.of(element, item.align("minimum-alignment", 1), length, in);
  }

  private VariantType variant(Item item, int depth) throws ForeignException {
    List<VariantType.Option> options = new ArrayList<>();
    for (Item option : item.items("options")) {
      String name = Objects.requireNonNullElse(option.text("name"), "");
      options.add(
          new VariantType.Option(
              field(option, name, depth),
              Mappings.ranges(option, option.list("selector-field-ranges"))));
    }
    return VariantType.of(place(item, "selector-field-location"), options);
  }

  private static FieldRef place(Item item, String name) throws ForeignException {
    return Mappings.place(item, name);
  }
}
