package dev.kymo.importers.linux.metadata;

import dev.kymo.format.KernelEventFormat;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A kind of events as a file has it: where its fields are, and how an event becomes one that a
 * recording can hold, which is little-endian and has no field without a size.
 */
public final class FileKind {
  private static final Pattern FIELD =
      Pattern.compile(
          "field:\\s*([^;]{1,200}?)\\s*;\\s*offset:\\s*(\\d{1,5});\\s*size:\\s*(\\d{1,5});"
              + "(?:\\s*signed:\\s*([01]);)?");
  private static final Pattern NAME = Pattern.compile("(\\w+)\\s*(\\[[^\\]]*])?$");
  private static final Pattern ID = Pattern.compile("(?:^|\\n)ID:\\s*(\\d{1,5})");
  private static final Pattern EVENT = Pattern.compile("(?:^|\\n)name:\\s*(\\S{1,200})");

  private final String subsystem;
  private final String name;
  private final int id;
  private final KernelEventFormat format;
  private final List<Part> parts;
  private final boolean bigEndian;

  /** Where the bytes begin that belong to a field without a size; -1 = there is none. */
  private final int tail;

  /** Where the event says in the recording where these bytes are. */
  private final int tailPlace;

  /** A field of the file. */
  private record Part(String declaration, String name, int offset, int size, boolean signed) {}

  private FileKind(String subsystem, String name, int id, List<Part> parts, boolean bigEndian) {
    this.subsystem = subsystem;
    this.name = name;
    this.id = id;
    this.parts = parts;
    this.bigEndian = bigEndian;
    StringBuilder text = new StringBuilder("name: " + name + "\nID: " + id + "\n");
    int end = KernelEventFormat.COMMON_SIZE;
    Part open = null;
    for (Part part : parts) {
      if (part.size > 0 && part.offset >= end) {
        append(text, part.declaration, part.offset, part.size, part.signed);
        end = part.offset + part.size;
      } else if (part.size == 0 && part.offset >= end) {
        open = part;
      }
    }
    this.tail = open == null ? -1 : open.offset;
    this.tailPlace = (end + 3) & -4;
    if (open != null) {
      String type = open.declaration.contains("char") ? "char[]" : "u8[]";
      append(text, "__data_loc " + type + " " + open.name, tailPlace, Integer.BYTES, false);
    }
    this.format = KernelEventFormat.parse(subsystem, text.toString());
  }

  private static void append(
      StringBuilder to, String declaration, int offset, int size, boolean signed) {
    to.append(
        "field:%s; offset:%d; size:%d; signed:%d;\n"
            .formatted(declaration, offset, size, signed ? 1 : 0));
  }

  /**
   * Reads the kernel's text.
   *
   * @throws IllegalArgumentException if it is not such a text
   */
  public static FileKind parse(String subsystem, String text, boolean bigEndian) {
    Matcher id = ID.matcher(text);
    Matcher name = EVENT.matcher(text);
    if (!id.find() || !name.find()) {
      throw new IllegalArgumentException("format of an event has no name or number");
    }
    List<Part> parts = new ArrayList<>();
    Matcher field = FIELD.matcher(text);
    while (field.find()) {
      Matcher word = NAME.matcher(field.group(1));
      if (word.find()) {
        parts.add(
            new Part(
                field.group(1),
                word.group(1),
                Integer.parseInt(field.group(2)),
                Integer.parseInt(field.group(3)),
                "1".equals(field.group(4))));
      }
    }
    parts.sort(Comparator.comparingInt(Part::offset));
    return new FileKind(subsystem, name.group(1), Integer.parseInt(id.group(1)), parts, bigEndian);
  }

  public String subsystem() {
    return subsystem;
  }

  public String name() {
    return name;
  }

  /** Number that the kernel has given it. */
  public int id() {
    return id;
  }

  /** As a recording has it. */
  public KernelEventFormat format() {
    return format;
  }

  /** Where a field begins; -1 if there is no such field. */
  public int offset(String field) {
    for (Part part : parts) {
      if (part.name.equals(field)) {
        return part.offset;
      }
    }
    return -1;
  }

  /** The number in a field; 0 if there is no such field, or the event ends before it. */
  public long number(String field, byte[] bytes, int at, int size) {
    for (Part part : parts) {
      if (part.name.equals(field) && part.offset + part.size <= size && part.size <= 8) {
        return number(bytes, at + part.offset, part.size, bigEndian);
      }
    }
    return 0;
  }

  public static long number(byte[] bytes, int at, int size, boolean bigEndian) {
    long value = 0;
    for (int i = 0; i < size; i++) {
      long one = bytes[at + i] & 0xFFL;
      value = bigEndian ? value << 8 | one : value | one << (8 * i);
    }
    return value;
  }

  /** The event's bytes as the format says. */
  public byte[] bytes(byte[] from, int at, int size) {
    if (tail < 0 || size < tail) {
      byte[] bytes = new byte[size];
      System.arraycopy(from, at, bytes, 0, size);
      return bigEndian ? swapped(bytes) : bytes;
    }
    int rest = Math.min(size - tail, 0xFFFF);
    byte[] bytes = new byte[tailPlace + Integer.BYTES + rest];
    System.arraycopy(from, at, bytes, 0, Math.min(tail, tailPlace));
    byte[] result = bigEndian ? swapped(bytes) : bytes;
    System.arraycopy(from, at + tail, result, tailPlace + Integer.BYTES, rest);
    put(result, tailPlace, Integer.BYTES, (long) rest << 16 | (tailPlace + Integer.BYTES));
    return result;
  }

  /** Turns the bytes of each number around. */
  private byte[] swapped(byte[] bytes) {
    turn(bytes, 0, 2);
    turn(bytes, 4, 4);
    for (KernelEventFormat.Field field : format.fields()) {
      if (field.offset() + field.size() > bytes.length) {
        continue;
      }
      switch (field.kind()) {
        case TEXT -> {
          // characters have no order
        }
        case INTEGER, DYNAMIC_TEXT -> turn(bytes, field.offset(), field.size());
        case ARRAY -> turnAll(bytes, field.offset(), field.size(), field.element());
        case DYNAMIC_BYTES -> {
          turn(bytes, field.offset(), field.size());
          int where = (int) number(bytes, field.offset(), 4, false);
          int from = (where & 0xFFFF) + (field.relative() ? field.offset() + 4 : 0);
          if (from + (where >>> 16) <= bytes.length) {
            turnAll(bytes, from, where >>> 16, element(field.declaration()));
          }
        }
      }
    }
    return bytes;
  }

  private static int element(String declaration) {
    if (declaration.contains("64") || declaration.contains("long")) {
      return 8;
    }
    return declaration.contains("32") || declaration.contains("int[") ? 4 : 1;
  }

  private static void turnAll(byte[] bytes, int from, int size, int element) {
    for (int i = 0; i + element <= size; i += element) {
      turn(bytes, from + i, element);
    }
  }

  private static void turn(byte[] bytes, int from, int size) {
    if (from + size > bytes.length) {
      return;
    }
    for (int i = 0; i < size / 2; i++) {
      byte one = bytes[from + i];
      bytes[from + i] = bytes[from + size - 1 - i];
      bytes[from + size - 1 - i] = one;
    }
  }

  private static void put(byte[] to, int at, int size, long value) {
    for (int i = 0; i < size; i++) {
      to[at + i] = (byte) (value >>> (8 * i));
    }
  }
}
