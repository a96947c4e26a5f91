package dev.kymo.recorder.messages;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Finds method, path and status in the headers of HTTP/2 that one end of a connection sends (HPACK,
 * RFC 7541). Of the other headers only the lengths are kept, because later headers refer to earlier
 * ones. Nothing of what the bytes say is trusted.
 */
final class Headers {
  private static final int METHOD = 1;
  private static final int PATH = 2;
  private static final int STATUS = 3;
  private static final byte[][] NAMES = {{}, bytes(":method"), bytes(":path"), bytes(":status")};

  /** Lengths of the names of the headers that need not be sent, the first one at 1. */
  private static final byte[] KNOWN = {
    0, 10, 7, 7, 5, 5, 7, 7, 7, 7, 7, 7, 7, 7, 7, 14, 15, 15, 13, 6, 27, 3, 5, 13, 13, 19, 16, 16,
    14, 16, 13, 12, 6, 4, 4, 6, 7, 4, 4, 8, 17, 13, 8, 19, 13, 4, 8, 12, 18, 19, 5, 7, 7, 11, 6, 10,
    25, 17, 10, 4, 3, 16
  };

  /** Their values, where they are those of a method, a path or a status. */
  private static final byte[][] VALUES = {
    {},
    {},
    bytes("GET"),
    bytes("POST"),
    bytes("/"),
    bytes("/index.html"),
    {},
    {},
    bytes("200"),
    bytes("204"),
    bytes("206"),
    bytes("304"),
    bytes("400"),
    bytes("404"),
    bytes("500")
  };

  private static final int FIRST_STATUS = 8;

  /** What an entry takes in the table beside its name and value. */
  private static final int ENTRY = 32;

  private static final int FIRST_MOST = 4096;
  private static final int MOST = 1 << 16;

  private static final int INDEXED = 0x80;
  private static final int KEPT = 0x40;
  private static final int RESIZED = 0x20;
  private static final int HUFFMAN = 0x80;

  /** Bits of the number that begins in the byte which says what comes. */
  private static final int INDEXED_BITS = 7;

  private static final int KEPT_BITS = 6;
  private static final int RESIZED_BITS = 5;
  private static final int NOT_KEPT_BITS = 4;
  private static final int LENGTH_BITS = 7;

  /** A header that was sent. */
  private static final class Entry {
    private final int kind;
    private final int nameLength;
    private final byte[] value;
    private final int size;

    Entry(int kind, int nameLength, byte[] value, int valueLength) {
      this.kind = kind;
      this.nameLength = nameLength;
      this.value = value;
      this.size = nameLength + valueLength + ENTRY;
    }
  }

  private static final byte[] NOTHING = {};

  /** Those that may be referred to, from {@link #first} on the oldest one first. */
  private Entry[] table = new Entry[16];

  private int first;
  private int entries;
  private int size;
  private int most = FIRST_MOST;

  // Of the block that is read.

  private byte[] block = NOTHING;
  private int at;
  private int end;
  private final byte[] text = new byte[HttpLine.LOOKED_AT];
  private final byte[] @Nullable [] found = new byte[NAMES.length][];

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  /** Not a block of headers. */
  private static final class Bad extends Exception {
    private static final long serialVersionUID = 1;

    Bad() {
      super(null, null, false, false);
    }
  }

  /** Reads the headers of a message; false if they are none: then nothing more can be read. */
  boolean read(byte[] bytes, int length) {
    block = bytes;
    at = 0;
    end = length;
    Arrays.fill(found, null);
    try {
      while (at < end) {
        readOne();
      }
      return true;
    } catch (Bad e) {
      return false;
    } finally {
      block = NOTHING;
    }
  }

  byte @Nullable [] method() {
    return found[METHOD];
  }

  /** The path of a request, with its query, as far as it is looked at; or null. */
  byte @Nullable [] path() {
    return found[PATH];
  }

  /** The status of an answer; 0 if there is none. */
  int status() {
    byte[] digits = found[STATUS];
    int status = 0;
    for (int i = 0; digits != null && i < digits.length; i++) {
      int digit = digits[i] - '0';
      if (digit < 0 || digit > 9 || digits.length != 3) {
        return 0;
      }
      status = status * 10 + digit;
    }
    return status;
  }

  private void readOne() throws Bad {
    int what = block[at];
    if ((what & INDEXED) != 0) {
      referred(number(INDEXED_BITS));
    } else if ((what & KEPT) != 0) {
      literal(number(KEPT_BITS), true);
    } else if ((what & RESIZED) != 0) {
      most = number(RESIZED_BITS);
      if (most > MOST) {
        throw new Bad();
      }
      shrink(most);
    } else {
      literal(number(NOT_KEPT_BITS), false);
    }
  }

  private void referred(int index) throws Bad {
    if (index == 0) {
      throw new Bad();
    }
    if (index < KNOWN.length) {
      found[kind(index)] = index < VALUES.length ? VALUES[index] : NOTHING;
    } else {
      Entry entry = entry(index);
      found[entry.kind] = entry.value;
    }
  }

  private void literal(int index, boolean isKept) throws Bad {
    int kind;
    int nameLength;
    if (index == 0) {
      nameLength = string();
      kind = kindOfText(nameLength);
    } else if (index < KNOWN.length) {
      nameLength = KNOWN[index];
      kind = kind(index);
    } else {
      Entry entry = entry(index);
      nameLength = entry.nameLength;
      kind = entry.kind;
    }
    int length = string();
    byte[] value = kind == 0 ? NOTHING : Arrays.copyOf(text, Math.min(length, text.length));
    found[kind] = value;
    if (isKept) {
      keep(new Entry(kind, nameLength, value, length));
    }
  }

  /** What a header is that need not be sent, by its index. */
  private static int kind(int index) {
    if (index < 2 || index >= VALUES.length) {
      return 0;
    }
    return index < 4 ? METHOD : index < 6 ? PATH : index >= FIRST_STATUS ? STATUS : 0;
  }

  /** Likewise, by its name, which was read last. */
  private int kindOfText(int length) {
    for (int kind = METHOD; kind <= STATUS; kind++) {
      byte[] name = NAMES[kind];
      if (length == name.length && Arrays.equals(text, 0, length, name, 0, length)) {
        return kind;
      }
    }
    return 0;
  }

  /** Reads a text as far as there is room for it; its whole length. */
  private int string() throws Bad {
    if (at >= end) {
      throw new Bad();
    }
    boolean isCoded = (block[at] & HUFFMAN) != 0;
    int length = number(LENGTH_BITS);
    int begin = at;
    if (length > end - begin) {
      throw new Bad();
    }
    at += length;
    if (!isCoded) {
      System.arraycopy(block, begin, text, 0, Math.min(length, text.length));
      return length;
    }
    int decoded = Huffman.decode(block, begin, at, text);
    if (decoded < 0) {
      throw new Bad();
    }
    return decoded;
  }

  /** Reads a number that begins in so many low bits of a byte, and goes on if they are all set. */
  private int number(int bits) throws Bad {
    int mask = (1 << bits) - 1;
    int number = block[at++] & mask;
    if (number < mask) {
      return number;
    }
    for (int shift = 0; shift <= 21; shift += 7) {
      if (at >= end) {
        throw new Bad();
      }
      int more = block[at++];
      number += (more & 0x7F) << shift;
      if (more >= 0) {
        return number;
      }
    }
    throw new Bad();
  }

  /** The latest one has the first index behind those that are known. */
  private Entry entry(int index) throws Bad {
    int back = index - KNOWN.length;
    if (back >= entries) {
      throw new Bad();
    }
    return table[(first + entries - 1 - back) % table.length];
  }

  private void keep(Entry entry) {
    shrink(most - entry.size);
    if (entry.size > most) {
      return;
    }
    if (entries == table.length) {
      Entry[] more = new Entry[2 * table.length];
      for (int i = 0; i < entries; i++) {
        more[i] = table[(first + i) % table.length];
      }
      table = more;
      first = 0;
    }
    table[(first + entries) % table.length] = entry;
    entries++;
    size += entry.size;
  }

  /** Forgets the oldest ones until there are at most so many bytes. */
  private void shrink(int to) {
    while (entries > 0 && size > to) {
      size -= table[first].size;
      first = (first + 1) % table.length;
      entries--;
    }
  }
}
