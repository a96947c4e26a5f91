package dev.kymo.recorder.messages;

import dev.kymo.recorder.platform.RawMemory;
import java.nio.ByteBuffer;

/** The bytes that a call wrote or read, wherever they are; only parts of them are looked at. */
abstract class Content {
  private Content() {}

  abstract void copy(int from, byte[] into, int at, int length);

  static final class OfMemory extends Content {
    private final long address;

    OfMemory(long address) {
      this.address = address;
    }

    @Override
    void copy(int from, byte[] into, int at, int length) {
      RawMemory.copy(address + from, into, at, length);
    }
  }

  /** Bytes in several places of memory. */
  static final class OfList extends Content {
    private static final int PLACE_SIZE = 2 * Long.BYTES;

    private final long list;

    /** A list in memory ({@code struct iovec}) that has at least as many bytes as are copied. */
    OfList(long list) {
      this.list = list;
    }

    @Override
    void copy(int from, byte[] into, int at, int length) {
      long place = list;
      long skipped = from;
      int copied = 0;
      while (copied < length) {
        long there = RawMemory.int64(place + Long.BYTES);
        if (skipped < there) {
          int part = (int) Math.min(there - skipped, length - copied);
          RawMemory.copy(RawMemory.int64(place) + skipped, into, at + copied, part);
          copied += part;
          skipped = 0;
        } else {
          skipped -= there;
        }
        place += PLACE_SIZE;
      }
    }
  }

  static final class OfArray extends Content {
    private final byte[] array;
    private final int offset;

    OfArray(byte[] array, int offset) {
      this.array = array;
      this.offset = offset;
    }

    @Override
    void copy(int from, byte[] into, int at, int length) {
      System.arraycopy(array, offset + from, into, at, length);
    }
  }

  /** Bytes of buffers, which may be anybody's and are not changed. */
  static final class OfBuffers extends Content {
    private final ByteBuffer[] buffers;
    private final int first;
    private final int[] begins;
    private final int[] ends;

    /** The buffers from the first one on, with what is between their positions and limits now. */
    OfBuffers(ByteBuffer[] buffers, int first, int count) {
      this.buffers = buffers;
      this.first = first;
      this.begins = new int[count];
      this.ends = new int[count];
      for (int i = 0; i < count; i++) {
        begins[i] = buffers[first + i].position();
        ends[i] = buffers[first + i].limit();
      }
    }

    /** One buffer, from there up to its position. */
    OfBuffers(ByteBuffer buffer, int begin) {
      this.buffers = new ByteBuffer[] {buffer};
      this.first = 0;
      this.begins = new int[] {begin};
      this.ends = new int[] {buffer.position()};
    }

    @Override
    void copy(int from, byte[] into, int at, int length) {
      int skipped = from;
      int copied = 0;
      for (int i = 0; copied < length; i++) {
        int there = ends[i] - begins[i];
        if (skipped < there) {
          int part = Math.min(there - skipped, length - copied);
          buffers[first + i].get(begins[i] + skipped, into, at + copied, part);
          copied += part;
          skipped = 0;
        } else {
          skipped -= there;
        }
      }
    }
  }
}
