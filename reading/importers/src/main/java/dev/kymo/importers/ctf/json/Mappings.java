package dev.kymo.importers.ctf.json;

import dev.kymo.importers.ctf.type.CtfScope;
import dev.kymo.importers.ctf.type.EnumerationLabels;
import dev.kymo.importers.ctf.type.FieldRef;
import dev.kymo.importers.ctf.type.Ranges;
import dev.kymo.importers.target.ForeignException;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Ranges of values, their labels, and the places of fields. */
final class Mappings {
  private static final Map<String, CtfScope> ORIGINS =
      Map.of(
          "packet-header", CtfScope.PACKET_HEADER,
          "packet-context", CtfScope.PACKET_CONTEXT,
          "event-record-header", CtfScope.EVENT_HEADER,
          "event-record-common-context", CtfScope.COMMON_CONTEXT,
          "event-record-specific-context", CtfScope.CONTEXT,
          "event-record-payload", CtfScope.FIELDS);

  private Mappings() {}

  /** Labels of a number; null if it has none. */
  static @Nullable EnumerationLabels labels(Item item, boolean signed) throws ForeignException {
    Item mappings = item.item("mappings");
    if (mappings == null) {
      return null;
    }
    Map<String, Ranges> ranges = new LinkedHashMap<>();
    for (String label : mappings.members().keySet()) {
      Ranges of = ranges(item, mappings.list(label));
      ranges.put(label, new Ranges(signed, of.bounds()));
    }
    return new EnumerationLabels(ranges);
  }

  /** Ranges of integers; signed if one of them is below zero. */
  static Ranges ranges(Item item, List<?> list) throws ForeignException {
    boolean large = false;
    Ranges ranges = new Ranges(true, new long[0]);
    for (Object each : list) {
      if (!(each instanceof List<?> pair)
          || pair.size() != 2
          || !(pair.get(0) instanceof BigInteger from)
          || !(pair.get(1) instanceof BigInteger to)
          || from.compareTo(to) > 0
          || from.bitLength() > Long.SIZE
          || to.bitLength() > Long.SIZE) {
        throw item.problem("no range of integers", "");
      }
      large |= to.bitLength() == Long.SIZE;
      ranges = ranges.plus(from.longValue(), to.longValue());
    }
    return new Ranges(!large, ranges.bounds());
  }

  static FieldRef place(Item item, String name) throws ForeignException {
    List<String> path = new ArrayList<>();
    CtfScope scope = null;
    List<?> parts;
    if (item.get(name) instanceof List<?> list) { // as drafts had it
      parts = list;
      if (!list.isEmpty() && list.get(0) instanceof String first && ORIGINS.containsKey(first)) {
        scope = ORIGINS.get(first);
        parts = list.subList(1, list.size());
      }
    } else {
      Item place = item.needItem(name);
      String origin = place.text("origin");
      scope = origin == null ? null : ORIGINS.get(origin);
      if (origin != null && scope == null) {
        throw item.problem("no origin of a field's location", "origin=" + origin);
      }
      parts = place.list("path");
    }
    for (Object part : parts) {
      if (!(part instanceof Item.Absent || part instanceof String)) {
        throw item.problem("no path of a field's location", "name=" + name);
      }
      path.add(part instanceof String text ? text : FieldRef.UP);
    }
    if (path.isEmpty()) {
      throw item.problem("a field's location has no path", "name=" + name);
    }
    return new FieldRef(null, scope, path, true);
  }
}
