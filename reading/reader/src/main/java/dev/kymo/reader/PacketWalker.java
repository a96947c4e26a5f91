package dev.kymo.reader;

import dev.kymo.format.PacketLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Finds the packets of a stream file one after the other, whatever damage lies between them.
 *
 * <p>A header's size is believed if another packet or the file's end follows. Otherwise the next
 * packet is searched for by magic and uuid. Every byte is searched at most twice, so a file of
 * rubbish takes no longer than its length.
 */
final class PacketWalker {
  private static final int SEARCH_SIZE = 64 << 10;

  /** A header that changes with every reading is not a header. */
  private static final int MAX_READS = 100;

  /** Bytes by which a packet's begin is recognized: magic and uuid. */
  private static final int START_SIZE = PacketLayout.STREAM_CLASS_OFFSET;

  private final FileWindow window;
  private final StreamSource file;
  private final UUID uuid;
  private final Diagnostics diagnostics;
  private final ByteBuffer next = ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN);
  private final ByteBuffer head =
      ByteBuffer.allocate(PacketLayout.HEADER_SIZE).order(ByteOrder.LITTLE_ENDIAN);
  private long position;
  private long contentEnd;
  private boolean damage;
  private boolean damageBefore;

  PacketWalker(FileWindow window, UUID uuid, Diagnostics diagnostics, long position) {
    this.window = window;
    this.file = window.file();
    this.uuid = uuid;
    this.diagnostics = diagnostics;
    this.position = position;
  }

  /** Offset after the last byte of the records of the packet found last. */
  long contentEnd() {
    return contentEnd;
  }

  /** Whether bytes were skipped or cut off before the packet found last. */
  boolean damageBefore() {
    return damageBefore;
  }

  /** The next packet, or null at the end of the file. */
  @Nullable PacketHeader next() {
    damageBefore = false;
    while (position < file.size()) {
      damageBefore |= damage;
      damage = false;
      long at = position;
      if (!window.require(at, PacketLayout.HEADER_SIZE)) {
        cutHeader(at);
        return null;
      }
      int index = window.index(at);
      if (!PacketHeader.magicAt(window.buffer(), index)) {
        odd(Oddity.BAD_MAGIC, at, "magic=%08x".formatted(window.buffer().getInt(index)));
        position = search(at + 1, file.size());
        continue;
      }
      PacketHeader header = PacketHeader.read(window.buffer(), index, at);
      measure(header);
      if (usable(header)) {
        return header;
      }
      damage = true;
    }
    return null;
  }

  /**
   * The next packet as the file has it now, if it is whole; null if there is none yet. Does not
   * report oddities, because what looks odd may be half written. {@link #take} goes to that packet.
   */
  @Nullable PacketHeader peekWhole() {
    PacketHeader header = present(position);
    return header != null && position + header.packetBits() / 8 <= file.size() ? header : null;
  }

  /**
   * Goes to a packet that {@link #peekWhole} has found, or to the present state of the same one.
   */
  void take(PacketHeader header) {
    long at = header.offset();
    if (window.holds(at, PacketLayout.HEADER_SIZE)
        && !PacketHeader.read(window.buffer(), window.index(at), at).equals(header)) {
      window.discard();
    }
    contentEnd = at + header.contentBits() / 8;
    position = at + header.packetBits() / 8;
    damageBefore = false;
  }

  /** The header at an offset if it belongs to this stream; read until it does not change. */
  @Nullable PacketHeader present(long at) {
    PacketHeader header = null;
    for (int i = 0; i < MAX_READS; i++) {
      if (window.read(head, at) < PacketLayout.HEADER_SIZE || !PacketHeader.magicAt(head, 0)) {
        return null;
      }
      PacketHeader again = PacketHeader.read(head, 0, at);
      if (again.equals(header)) {
        boolean ours = again.uuid().equals(uuid) && again.streamClass() == file.streamClass();
        return ours && again.plausible() ? again : null;
      }
      header = again;
    }
    return null;
  }

  /** Finds out where the packet's records end and where to continue after it. */
  private void measure(PacketHeader header) {
    long at = header.offset();
    if (header.plausible()) {
      contentEnd = at + header.contentBits() / 8;
      position = at + header.packetBits() / 8;
      checkWhatFollows(header);
    } else {
      odd(Oddity.BAD_SIZE, at, header.sizes());
      position = search(at + START_SIZE, file.size());
      contentEnd = position;
    }
  }

  private boolean usable(PacketHeader header) {
    if (!header.uuid().equals(uuid)) {
      odd(Oddity.WRONG_UUID, header.offset(), "uuid=" + header.uuid());
      return false;
    }
    if (header.streamClass() != file.streamClass()) {
      odd(
          Oddity.WRONG_STREAM_CLASS,
          header.offset(),
          "stream_class=%s expected=%d"
              .formatted(Integer.toUnsignedString(header.streamClass()), file.streamClass()));
      return false;
    }
    return contentEnd >= header.offset() + PacketLayout.HEADER_SIZE;
  }

  private void checkWhatFollows(PacketHeader header) {
    long at = header.offset();
    boolean fits = position <= file.size();
    if (position == file.size() || (fits && packetAt(position))) {
      return;
    }
    long end = Math.min(position, file.size());
    long found = search(at + PacketLayout.HEADER_SIZE, end);
    if (found < end) {
      odd(Oddity.BAD_SIZE, at, header.sizes() + " next_packet=" + found);
      position = found;
    } else if (!fits) {
      cut(at, header.packetBits() / 8, file.size() - at);
      position = file.size();
    }
    contentEnd = Math.min(contentEnd, position);
  }

  private boolean packetAt(long at) {
    if (window.holds(at, 4)) {
      return PacketHeader.magicAt(window.buffer(), window.index(at));
    }
    return window.read(next, at) == 4 && PacketHeader.magicAt(next, 0);
  }

  private void cutHeader(long at) {
    long present = window.holds(at, 0) ? window.begin() + window.length() - at : 0;
    cut(at, PacketLayout.HEADER_SIZE, Math.max(0, present));
    position = file.size();
  }

  /** The writer of a packet may be in the middle of it. */
  private void cut(long at, long bytes, long present) {
    if (!file.isGrowing()) {
      odd(Oddity.CUT_PACKET, at, "bytes=%d present=%d".formatted(bytes, present));
    }
  }

  /** Offset of the first packet that begins in [from, to), or {@code to}. */
  private long search(long from, long to) {
    int size = (int) Math.min(SEARCH_SIZE, Math.max(START_SIZE, to - from + START_SIZE));
    ByteBuffer part = ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
    long at = from;
    while (at < to) {
      int got = window.read(part, at);
      for (int i = 0; i + START_SIZE <= got && at + i < to; i++) {
        if (PacketHeader.startAt(part, i, uuid)) {
          return at + i;
        }
      }
      if (got < size) {
        break;
      }
      at = isZero(part) ? file.nextData(at + size) : at + size - START_SIZE + 1;
    }
    return to;
  }

  /** A file with holes is nearly all zeros, which could take hours. No packet begins with zero. */
  private static boolean isZero(ByteBuffer part) {
    for (int i = 0; i < part.capacity(); i++) {
      if (part.get(i) != 0) {
        return false;
      }
    }
    return true;
  }

  private void odd(Oddity oddity, long offset, String facts) {
    damage = true;
    diagnostics.add(oddity, file.name(), offset, () -> facts);
  }
}
