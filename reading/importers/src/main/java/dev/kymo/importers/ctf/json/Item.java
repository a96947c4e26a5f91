package dev.kymo.importers.ctf.json;

import dev.kymo.importers.target.ForeignException;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An object of the metadata, whose members are asked for by name and kind. */
record Item(Map<String, Object> members, Problems problems) {
  /** Stands for null in arrays. */
  record Absent() {}

  ForeignException problem(String problem, String facts) {
    return problems.of(problem, facts);
  }

  private ForeignException wrong(String name) {
    return problem("a member of the metadata is absent or of a wrong kind", "name=" + name);
  }

  boolean has(String name) {
    return members.containsKey(name);
  }

  @Nullable Object get(String name) {
    return members.get(name);
  }

  @Nullable String text(String name) throws ForeignException {
    Object value = members.get(name);
    if (value == null || value instanceof String) {
      return (String) value;
    }
    throw wrong(name);
  }

  String needText(String name) throws ForeignException {
    String text = text(name);
    if (text == null) {
      throw wrong(name);
    }
    return text;
  }

  long number(String name, long absent) throws ForeignException {
    Object value = members.get(name);
    if (value == null) {
      return absent;
    }
    if (value instanceof BigInteger number && number.bitLength() <= Long.SIZE) {
      return number.longValue();
    }
    throw wrong(name);
  }

  long number(String name, long absent, long least, long most) throws ForeignException {
    long number = number(name, absent);
    if (number < least || number > most) {
      throw problem("a number of the metadata is out of range", name + "=" + number);
    }
    return number;
  }

  /** An alignment in bits. */
  int align(String name, int absent) throws ForeignException {
    int align = (int) number(name, absent, 1, 1 << 20);
    if (Integer.bitCount(align) != 1) {
      throw problem("an alignment is not a power of two", name + "=" + align);
    }
    return align;
  }

  @SuppressWarnings("unchecked") // the parser makes no other maps
  @Nullable Item item(String name) throws ForeignException {
    Object value = members.get(name);
    if (value == null) {
      return null;
    }
    if (value instanceof Map<?, ?>) {
      return new Item((Map<String, Object>) value, problems);
    }
    throw wrong(name);
  }

  Item needItem(String name) throws ForeignException {
    Item item = item(name);
    if (item == null) {
      throw wrong(name);
    }
    return item;
  }

  List<?> list(String name) throws ForeignException {
    Object value = members.get(name);
    if (value == null) {
      return List.of();
    }
    if (value instanceof List<?> list) {
      return list;
    }
    throw wrong(name);
  }

  @SuppressWarnings("unchecked") // the parser makes no other maps
  List<Item> items(String name) throws ForeignException {
    List<Item> items = new ArrayList<>();
    for (Object each : list(name)) {
      if (!(each instanceof Map<?, ?>)) {
        throw wrong(name);
      }
      items.add(new Item((Map<String, Object>) each, problems));
    }
    return items;
  }
}
