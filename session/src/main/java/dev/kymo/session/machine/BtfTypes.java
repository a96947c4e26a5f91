package dev.kymo.session.machine;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.OptionalLong;

/**
 * The places of members in the kernel's structures, as its BTF says (Linux,
 * Documentation/bpf/btf.rst). The bytes are not trusted: what is wrong with them is said in an
 * {@link IOException}.
 */
final class BtfTypes {
  private static final int MAGIC = 0xEB9F;
  private static final int HEADER = 24;
  private static final int TYPE = 12;
  private static final int MEMBER = 12;
  private static final int MOST_STEPS = 1 << 16;
  private static final int DEEPEST = 16;

  private static final int STRUCT = 4;
  private static final int UNION = 5;
  private static final int TYPEDEF = 8;
  private static final int RESTRICT = 11;
  private static final int TYPE_TAG = 18;

  /** By kind: bytes that follow a type, and bytes that follow for each of its parts. -1: none. */
  private static final int[] FIXED = {-1, 4, 0, 12, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 4, 0, 0};

  private static final int[] EACH = {
    0, 0, 0, 0, 12, 12, 8, 0, 0, 0, 0, 0, 0, 8, 0, 12, 0, 0, 0, 12
  };

  private final ByteBuffer types;
  private final ByteBuffer names;

  /** By number of a type: where it is. Number 0 is {@code void}. */
  private int[] places = new int[1 << 10];

  private int count = 1;
  private int steps;

  private BtfTypes(ByteBuffer types, ByteBuffer names) {
    this.types = types;
    this.names = names;
  }

  /** Reads {@code /sys/kernel/btf/vmlinux}. */
  static BtfTypes read(byte[] bytes) throws IOException {
    ByteBuffer all = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    if (bytes.length < HEADER || (all.getShort(0) & 0xFFFF) != MAGIC) {
      throw wrong("they are no BTF");
    }
    long head = all.getInt(4) & 0xFFFF_FFFFL;
    BtfTypes types = new BtfTypes(part(all, head, 8), part(all, head, 16));
    types.index();
    return types;
  }

  /** A part whose offset, after the header, and length are at a place in the header. */
  private static ByteBuffer part(ByteBuffer all, long head, int at) throws IOException {
    long offset = head + (all.getInt(at) & 0xFFFF_FFFFL);
    long length = all.getInt(at + 4) & 0xFFFF_FFFFL;
    if (offset + length > all.limit()) {
      throw wrong("they are cut: bytes=%d needed=%d".formatted(all.limit(), offset + length));
    }
    return all.slice((int) offset, (int) length).order(ByteOrder.LITTLE_ENDIAN);
  }

  private void index() throws IOException {
    int at = 0;
    while (at < types.limit()) {
      if (types.limit() - at < TYPE) {
        throw wrong("type %d is cut".formatted(count));
      }
      int kind = kind(at);
      if (kind >= FIXED.length || FIXED[kind] < 0) {
        throw wrong("type %d has unknown kind %d".formatted(count, kind));
      }
      int end = at + TYPE + FIXED[kind] + EACH[kind] * parts(at);
      if (end > types.limit()) {
        throw wrong("type %d is cut".formatted(count));
      }
      if (count == places.length) {
        places = Arrays.copyOf(places, 2 * count);
      }
      places[count++] = at;
      at = end;
    }
  }

  /**
   * Bytes from the begin of a structure to one of its members, also to those in structures and
   * unions without a name; empty if there is none.
   */
  OptionalLong offset(String structure, String member) throws IOException {
    steps = 0;
    byte[] name = member.getBytes(StandardCharsets.UTF_8);
    byte[] wanted = structure.getBytes(StandardCharsets.UTF_8);
    for (int type = 1; type < count; type++) {
      int at = places[type];
      if (kind(at) == STRUCT && isNamed(types.getInt(at), wanted)) {
        long bits = find(at, name, 0);
        if (bits >= 0) {
          return OptionalLong.of(bits / Byte.SIZE);
        }
      }
    }
    return OptionalLong.empty();
  }

  /** Bits to a member; -1 if there is none. */
  private long find(int at, byte[] name, int depth) throws IOException {
    if (depth > DEEPEST) {
      throw wrong("a structure contains itself");
    }
    boolean fields = types.getInt(at + 4) < 0; // then there are sizes in the offsets
    for (int i = 0, member = at + TYPE; i < parts(at); i++, member += MEMBER) {
      if (++steps > MOST_STEPS) {
        throw wrong("a structure has too many members");
      }
      int bits = types.getInt(member + 8);
      long offset = fields ? bits & 0xFFFFFF : bits & 0xFFFF_FFFFL;
      int text = types.getInt(member);
      if (isNamed(text, name)) {
        return offset;
      }
      int inner = isNamed(text, new byte[0]) ? structure(types.getInt(member + 4)) : -1;
      long inside = inner < 0 ? -1 : find(inner, name, depth + 1);
      if (inside >= 0) {
        return offset + inside;
      }
    }
    return -1;
  }

  /** Where the structure or union is that a type stands for; -1 if it is another type. */
  private int structure(int type) throws IOException {
    int number = type;
    for (int i = 0; i < DEEPEST; i++) {
      if (number <= 0 || number >= count) {
        throw wrong("there is no type %d".formatted(number));
      }
      int at = places[number];
      int kind = kind(at);
      if (kind == STRUCT || kind == UNION) {
        return at;
      }
      if ((kind < TYPEDEF || kind > RESTRICT) && kind != TYPE_TAG) {
        return -1;
      }
      number = types.getInt(at + 8);
    }
    throw wrong("type %d stands for itself".formatted(type));
  }

  private int kind(int at) {
    return types.getInt(at + 4) >> 24 & 0x1F;
  }

  private int parts(int at) {
    return types.getInt(at + 4) & 0xFFFF;
  }

  private boolean isNamed(int text, byte[] name) throws IOException {
    if (text < 0 || text >= names.limit()) {
      throw wrong("a name is outside: offset=%d bytes=%d".formatted(text, names.limit()));
    }
    for (int i = 0; i <= name.length; i++) {
      int wanted = i < name.length ? name[i] : 0;
      if (text + i >= names.limit() || names.get(text + i) != wanted) {
        return false;
      }
    }
    return true;
  }

  private static IOException wrong(String why) {
    return new IOException("the kernel's types cannot be read, " + why);
  }
}
