package dev.kymo.format;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The fields of a kernel event, as the kernel's own {@code events/SUBSYSTEM/EVENT/format} lays them
 * out. Layouts differ from kernel to kernel, so every recording carries them.
 */
public final class KernelEventFormat {
  /** Bytes that all events begin with: u16 type, u8 flags, u8 preempt count, s32 thread. */
  public static final int COMMON_SIZE = 8;

  private static final Pattern FIELD =
      Pattern.compile(
          "field:\\s*([^;]{1,200});\\s*offset:\\s*(\\d{1,5});\\s*size:\\s*(\\d{1,5});"
              + "(?:\\s*signed:\\s*([01]);)?");
  private static final Pattern NAME = Pattern.compile("(?:^|\\n)name:\\s*(\\S+)");
  private static final Pattern ID = Pattern.compile("(?:^|\\n)ID:\\s*(\\d{1,5})");
  private static final Pattern DECLARATION =
      Pattern.compile("(.*?)\\b(\\w+)\\s*(\\[[^\\]]*])?\\s*", Pattern.DOTALL);

  /** The kind of a field's bytes. */
  public enum Kind {
    /** A number of 1, 2, 4 or 8 bytes. */
    INTEGER,
    /** Characters, with a zero byte after the last if there is room. */
    TEXT,
    /** Numbers, one after the other. */
    ARRAY,
    /** Text elsewhere in the event; the field says where. */
    DYNAMIC_TEXT,
    /** Bytes elsewhere in the event; the field says where. */
    DYNAMIC_BYTES
  }

  /**
   * A field.
   *
   * @param declaration in C, as the kernel gives it, without the name
   * @param offset bytes from the event's begin, at least {@link #COMMON_SIZE}
   * @param size bytes at the offset
   * @param element bytes of one number
   * @param relative for dynamic kinds: whether the offset of its data is counted from the field's
   *     end
   */
  public record Field(
      String declaration,
      String name,
      Kind kind,
      int offset,
      int size,
      int element,
      boolean signed,
      boolean relative) {
    /** Whether its bytes lie elsewhere in the event. */
    public boolean isDynamic() {
      return kind == Kind.DYNAMIC_TEXT || kind == Kind.DYNAMIC_BYTES;
    }
  }

  private final String subsystem;
  private final String name;
  private final int kernelId;
  private final List<Field> fields;
  private final List<Field> dynamic;
  private final int fixedSize;

  private KernelEventFormat(String subsystem, String name, int kernelId, List<Field> fields) {
    this.subsystem = subsystem;
    this.name = name;
    this.kernelId = kernelId;
    this.fields = List.copyOf(fields);
    this.dynamic = fields.stream().filter(Field::isDynamic).toList();
    this.fixedSize = fields.stream().mapToInt(f -> f.offset() + f.size()).max().orElse(COMMON_SIZE);
  }

  /**
   * Reads the kernel's text, or {@link #text()}.
   *
   * @throws IllegalArgumentException if it has no name or number, or fields that overlap
   */
  public static KernelEventFormat parse(String subsystem, String text) {
    String name = first(NAME, text, "name");
    int id = Integer.parseInt(first(ID, text, "ID"));
    List<Field> fields = new ArrayList<>();
    Matcher matcher = FIELD.matcher(text);
    while (matcher.find()) {
      int offset = Integer.parseInt(matcher.group(2));
      if (offset >= COMMON_SIZE) {
        int size = Integer.parseInt(matcher.group(3));
        boolean signed = Objects.equals(matcher.group(4), "1"); // Linux before 2.6.32 does not say
        fields.add(field(matcher.group(1).strip(), offset, size, signed));
      }
    }
    fields.sort(Comparator.comparingInt(Field::offset));
    int end = COMMON_SIZE;
    for (Field field : fields) {
      if (field.offset() < end || field.size() <= 0) {
        throw new IllegalArgumentException(
            "kernel event's fields overlap: event=%s field=%s".formatted(name, field.name()));
      }
      end = field.offset() + field.size();
    }
    return new KernelEventFormat(subsystem, name, id, fields);
  }

  private static String first(Pattern pattern, String text, String what) {
    Matcher matcher = pattern.matcher(text);
    if (!matcher.find()) {
      throw new IllegalArgumentException("kernel event's format is incomplete: missing=" + what);
    }
    return matcher.group(1);
  }

  private static Field field(String text, int offset, int size, boolean signed) {
    Matcher matcher = DECLARATION.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException("kernel event's field is not readable: field=" + text);
    }
    String type = matcher.group(1).strip();
    boolean array = matcher.group(3) != null;
    boolean relative = type.contains("__rel_loc");
    Kind kind;
    int element = size;
    boolean elsewhere = relative || type.contains("__data_loc");
    if (elsewhere && size == Integer.BYTES) {
      kind = type.contains("char") ? Kind.DYNAMIC_TEXT : Kind.DYNAMIC_BYTES;
      element = 1;
    } else if (array) {
      int count = count(Objects.toString(matcher.group(3), ""));
      element = count > 0 && size % count == 0 && isNumber(size / count) ? size / count : 1;
      boolean text8 = element == 1 && type.matches("(const )?char");
      kind = text8 ? Kind.TEXT : Kind.ARRAY;
    } else if (isNumber(size)) {
      kind = Kind.INTEGER;
    } else {
      kind = Kind.ARRAY; // a structure: bytes
      element = 1;
    }
    return new Field(
        type, matcher.group(2), kind, offset, size, element, signed, relative && size == 4);
  }

  private static int count(String brackets) {
    String inside = brackets.substring(1, brackets.length() - 1).strip();
    return inside.matches("\\d{1,5}") ? Integer.parseInt(inside) : 0;
  }

  private static boolean isNumber(int size) {
    return size == 1 || size == 2 || size == 4 || size == 8;
  }

  /** The part of the kernel it is from: {@code sched}. */
  public String subsystem() {
    return subsystem;
  }

  /** The kernel's name: {@code sched_switch}. */
  public String name() {
    return name;
  }

  /** The running kernel's number, which is in the first two bytes of its events. */
  public int kernelId() {
    return kernelId;
  }

  /** All fields except the common ones, by their offset. */
  public List<Field> fields() {
    return fields;
  }

  /** Whether all its bytes are in the fields. */
  public boolean isFixed() {
    return dynamic.isEmpty();
  }

  /** The fields whose bytes lie elsewhere. */
  public List<Field> dynamic() {
    return dynamic;
  }

  /** Size of an event in bytes without what lies elsewhere, common fields included. */
  public int fixedSize() {
    return fixedSize;
  }

  /**
   * A field by its name.
   *
   * @throws IllegalArgumentException if there is none
   */
  public Field field(String wanted) {
    for (Field field : fields) {
      if (field.name().equals(wanted)) {
        return field;
      }
    }
    throw new IllegalArgumentException(
        "kernel event has no such field: event=%s field=%s".formatted(name, wanted));
  }

  public boolean has(String wanted) {
    return fields.stream().anyMatch(field -> field.name().equals(wanted));
  }

  /**
   * The text that {@link #parse} reads; as the kernel writes it, without comments and text format.
   */
  public String text() {
    StringBuilder text = new StringBuilder("name: " + name + "\nID: " + kernelId + "\n");
    for (Field f : fields) {
      int count = f.kind() == Kind.ARRAY || f.kind() == Kind.TEXT ? f.size() / f.element() : 0;
      text.append(
          "field:%s %s%s; offset:%d; size:%d; signed:%d;\n"
              .formatted(
                  f.declaration(),
                  f.name(),
                  count == 0 ? "" : "[" + count + "]",
                  f.offset(),
                  f.size(),
                  f.signed() ? 1 : 0));
    }
    return text.toString();
  }

  @Override
  public String toString() {
    return subsystem + ":" + name;
  }
}
