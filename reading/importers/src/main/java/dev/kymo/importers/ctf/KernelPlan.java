package dev.kymo.importers.ctf;

import dev.kymo.format.KernelEventFormat;
import dev.kymo.importers.ctf.stream.CtfEventKind;
import dev.kymo.importers.ctf.stream.CtfStream;
import dev.kymo.importers.ctf.stream.Leaf;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One kind of kernel events: the layout that the kernel itself might have, and how its bytes are
 * made.
 *
 * <pre>
 *   0   2   u16 kind
 *   2   2   u8 flags, u8 preempt count = 0
 *   4   4   s32 thread that runs
 *   8   n   fields, each aligned to its size; of texts u16 offset, u16 length
 *           texts, each with a zero after it
 * </pre>
 */
final class KernelPlan {
  /** Texts lie within the first 64 KiB, and no event of the kernel is near that. */
  private static final int MOST_TEXT = 4096;

  private static final int MOST_TEXTS = 32 * 1024;
  private static final int COMM = 16;

  /** A field, and where it lies. */
  private record Place(Leaf leaf, String name, int offset, int size, boolean dynamic) {}

  final @Nullable Leaf tid;
  final @Nullable Leaf previous;
  final @Nullable Leaf next;
  final boolean isState;
  int number;

  private final List<Place> places = new ArrayList<>();
  private final KernelEventFormat format;
  private final int fixed;

  KernelPlan(CtfEventKind kind) {
    KernelNames names = KernelNames.of(kind.name());
    boolean isSwitch = kind.name().equals("sched_switch");
    this.tid = kind.context("tid");
    this.isState = kind.name().equals("lttng_statedump_process_state");
    StringBuilder text = new StringBuilder("name: " + names.name() + "\nID: 1\n");
    this.fixed = layOut(kind, names, text);
    boolean complete = isComplete(names);
    this.previous = isSwitch && complete ? integer(kind, "prev_tid", "prev_pid") : null;
    this.next = isSwitch && complete ? integer(kind, "next_tid", "next_pid") : null;
    this.format = KernelEventFormat.parse(complete ? names.subsystem() : "lttng", text.toString());
  }

  private static @Nullable Leaf integer(CtfEventKind kind, String... names) {
    for (String name : names) {
      Leaf leaf = kind.find(name);
      if (leaf != null && leaf.kind() == Leaf.Kind.INTEGER) {
        return leaf;
      }
    }
    return null;
  }

  private int layOut(CtfEventKind kind, KernelNames names, StringBuilder text) {
    List<Leaf> leaves = new ArrayList<>(kind.fields());
    leaves.addAll(kind.contexts());
    Set<String> taken = new HashSet<>();
    int at = KernelEventFormat.COMMON_SIZE;
    for (Leaf leaf : leaves) {
      String name = names.field(leaf.name().replaceAll("\\W", "_"));
      while (!taken.add(name)) {
        name = name + "_";
      }
      boolean number = leaf.kind() == Leaf.Kind.INTEGER || leaf.kind() == Leaf.Kind.FLOAT;
      boolean comm = leaf.kind() == Leaf.Kind.TEXT && name.endsWith("comm");
      int wanted = names.size(name);
      int size = number ? wanted != 0 ? wanted : size(leaf.bits()) : comm ? COMM : 4;
      int align = comm ? 1 : size;
      at = (at + align - 1) & -align;
      boolean dynamic = !number && !comm;
      places.add(new Place(leaf, name, at, size, dynamic));
      text.append(
          "field:%s %s%s; offset:%d; size:%d; signed:%d;\n"
              .formatted(
                  dynamic ? "__data_loc char[]" : comm ? "char" : type(size, leaf.signed()),
                  name,
                  comm ? "[16]" : "",
                  at,
                  size,
                  number && leaf.signed() ? 1 : 0));
      at += size;
    }
    return at;
  }

  private static int size(int bits) {
    return bits <= 8 ? 1 : bits <= 16 ? 2 : bits <= 32 ? 4 : 8;
  }

  private static String type(int size, boolean signed) {
    return (signed ? "s" : "u") + 8 * size;
  }

  private boolean isComplete(KernelNames names) {
    for (String wanted : names.wanted()) {
      boolean there = false;
      for (Place place : places) {
        boolean text = wanted.endsWith("comm") || wanted.equals("name");
        boolean isText = place.leaf.kind() == Leaf.Kind.TEXT;
        there |= place.name.equals(wanted) && text == isText;
      }
      if (!there) {
        return false;
      }
    }
    return true;
  }

  KernelEventFormat format() {
    return format;
  }

  byte[] bytes(CtfStream in, int running) {
    byte[][] texts = new byte[places.size()][];
    int size = fixed;
    for (int i = 0; i < texts.length; i++) {
      if (places.get(i).dynamic) {
        texts[i] = text(in, places.get(i).leaf, size - fixed);
        size += texts[i].length + 1;
      }
    }
    ByteBuffer out = ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
    out.putShort(0, (short) number);
    out.putInt(4, running);
    int at = fixed;
    for (int i = 0; i < texts.length; i++) {
      Place place = places.get(i);
      if (place.dynamic) {
        out.putShort(place.offset, (short) at);
        out.putShort(place.offset + 2, (short) (texts[i].length + 1));
        out.put(at, texts[i]);
        at += texts[i].length + 1;
      } else {
        put(out, place, in);
      }
    }
    return out.array();
  }

  private static void put(ByteBuffer out, Place place, CtfStream in) {
    if (place.leaf.kind() == Leaf.Kind.TEXT) {
      if (in.object(place.leaf.slot()) instanceof byte[] bytes) {
        out.put(place.offset, bytes, 0, Math.min(bytes.length, COMM - 1));
      }
      return;
    }
    long value = in.number(place.leaf.slot());
    switch (place.size) {
      case 1 -> out.put(place.offset, (byte) value);
      case 2 -> out.putShort(place.offset, (short) value);
      case 4 -> out.putInt(place.offset, (int) value);
      default -> out.putLong(place.offset, value);
    }
  }

  private static byte[] text(CtfStream in, Leaf leaf, int before) {
    byte[] bytes =
        in.object(leaf.slot()) instanceof byte[] raw
            ? raw
            : in.object(leaf.slot()).toString().getBytes(StandardCharsets.UTF_8);
    int most = before > MOST_TEXTS ? 0 : MOST_TEXT;
    return bytes.length <= most ? bytes : java.util.Arrays.copyOf(bytes, most);
  }
}
