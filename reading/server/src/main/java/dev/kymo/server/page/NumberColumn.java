package dev.kymo.server.page;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;

/** Whole numbers of seven bits a byte, the lowest first; the highest bit says that more follow. */
final class NumberColumn {
  private byte[] bytes = new byte[1024];
  private int size;

  void add(long number) {
    if (size + 10 > bytes.length) {
      bytes = Arrays.copyOf(bytes, bytes.length * 2);
    }
    long rest = number;
    while ((rest & ~0x7FL) != 0) {
      bytes[size++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    bytes[size++] = (byte) rest;
  }

  /** A number that may be negative: 0, -1, 1, -2, ... become 0, 1, 2, 3, ... */
  void addSigned(long number) {
    add((number << 1) ^ (number >> 63));
  }

  /** Bytes. */
  int size() {
    return size;
  }

  void writeTo(OutputStream to) throws IOException {
    to.write(bytes, 0, size);
  }
}
