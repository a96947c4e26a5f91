package dev.kymo.importers.otf2;

import static dev.kymo.importers.otf2.Records.u8;

import dev.kymo.importers.otf2.archive.LocationEvents.Attribute;
import dev.kymo.importers.otf2.archive.Otf2EventKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** An event of each kind, each of whose numbers is there once in all. */
final class AllKinds {
  static final long FIRST = 2_000;
  private static final int FIRST_NUMBER = 4_000;

  /** Of each kind's name what its numbers are. */
  final Map<String, List<Long>> numbers = new TreeMap<>();

  private final MadeArchive archive;
  private long next = FIRST_NUMBER;

  AllKinds(MadeArchive archive) {
    this.archive = archive;
  }

  /** Writes them; returns how many there are. */
  int write(Records events) {
    int count = 0;
    for (int type = 0; type < 256; type++) {
      Otf2EventKind kind = Otf2EventKind.of(type);
      if (kind != null) {
        List<Long> own = new ArrayList<>();
        List<Object> fields = new ArrayList<>();
        kind.fields().forEach(field -> put(field, fields, own));
        events.at(FIRST + count).add(type, fields.toArray());
        numbers.put(kind.name(), own);
        count++;
      }
    }
    return count;
  }

  private void put(Otf2EventKind.Field field, List<Object> to, List<Long> own) {
    switch (field.form()) {
      case "u32", "u64", "i64" -> {
        own.add(next);
        to.add(next++);
      }
      case "time" -> to.add(new Records.Whole(FIRST));
      case "measurement" -> to.add(u8(1));
      case "collective", "lock", "sync", "atomic", "access", "whence", "operation", "io_paradigm" ->
          to.add(u8(0));
      case "paradigm" -> to.add(u8(3));
      case "strings" -> {
        to.add(2);
        to.add(archive.string("-x"));
        to.add(archive.string("7"));
      }
      case "values" -> {
        to.addAll(List.of(u8(3), u8(4), next, u8(10), Double.doubleToRawLongBits(1.5), u8(8), -5L));
        own.add(next++);
      }
      default -> to.add(0); // a reference, flags, the root
    }
  }

  /** An attribute of each type, for the event that follows. */
  static List<Attribute> attributes(MadeArchive archive, Records events) {
    List<Attribute> all = new ArrayList<>();
    List<Object> fields = new ArrayList<>();
    for (int type = 1; type <= 25; type++) {
      archive.define(11, type, archive.string("attribute " + type), u8(type), archive.string(""));
      fields.add(type);
      fields.add(u8(type));
      switch (type) {
        case 1, 5 -> fields.add(u8(7));
        case 2, 6 -> fields.addAll(List.of(u8(7), u8(7)));
        case 9 -> fields.addAll(List.of(u8(0), u8(0), u8(0), u8(0)));
        case 10 -> fields.add(new Records.Whole(Double.doubleToRawLongBits(2.5)));
        default -> fields.add(type < 11 ? 1_000 : 0);
      }
      all.add(new Attribute(type, type, 0));
    }
    fields.add(0, 25);
    events.add(6, fields.toArray());
    return all;
  }
}
