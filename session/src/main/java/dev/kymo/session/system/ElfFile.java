package dev.kymo.session.system;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The facts in the header of a program file about how it is loaded. The file is not trusted: what
 * cannot be read is treated as missing.
 */
public final class ElfFile {
  private static final int MAGIC = 0x464C457F;
  private static final int CLASS_OFFSET = 4;
  private static final int CLASS_64 = 2;
  private static final int MACHINE_OFFSET = 18;
  private static final int MACHINE_X86_64 = 62;
  private static final int HEADER_SIZE = 64;
  private static final int SEGMENTS_OFFSET = 32;
  private static final int SEGMENT_SIZE_OFFSET = 54;
  private static final int SEGMENT_COUNT_OFFSET = 56;
  private static final int SEGMENT_SIZE = 56;
  private static final int LOAD = 1;
  private static final int DYNAMIC = 2;
  private static final int INTERPRETER = 3;
  private static final int NEEDED = 1;
  private static final int STRINGS = 5;
  private static final int STRINGS_SIZE = 10;
  private static final int LARGEST_PART = 1 << 24;

  private final FileChannel channel;
  private final boolean is64Bit;
  private final boolean isX86;
  private final List<Segment> segments = new ArrayList<>();
  private final List<String> needed = new ArrayList<>();
  private List<String> strings = List.of();
  private @Nullable String loader;

  /** Part of the file that is mapped, or has a meaning of its own. */
  private record Segment(int type, long offset, long address, long size) {}

  private ElfFile(FileChannel channel, ByteBuffer header) {
    this.channel = channel;
    this.is64Bit = header.get(CLASS_OFFSET) == CLASS_64;
    this.isX86 = is64Bit && header.getShort(MACHINE_OFFSET) == MACHINE_X86_64;
  }

  /** Reads a file; null if it is not an ELF file. */
  public static @Nullable ElfFile open(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file)) {
      return read(channel);
    }
  }

  private static @Nullable ElfFile read(FileChannel channel) throws IOException {
    ByteBuffer header = part(channel, 0, HEADER_SIZE);
    if (header.remaining() < HEADER_SIZE || header.getInt(0) != MAGIC) {
      return null;
    }
    ElfFile elf = new ElfFile(channel, header);
    if (elf.is64Bit) {
      int size = header.getShort(SEGMENT_SIZE_OFFSET) & 0xFFFF;
      int count = header.getShort(SEGMENT_COUNT_OFFSET) & 0xFFFF;
      ByteBuffer table = part(channel, header.getLong(SEGMENTS_OFFSET), (long) size * count);
      for (int at = 0; at + SEGMENT_SIZE <= table.remaining(); at += Math.max(SEGMENT_SIZE, size)) {
        elf.segments.add(
            new Segment(
                table.getInt(at),
                table.getLong(at + 8),
                table.getLong(at + 16),
                table.getLong(at + 32)));
      }
      elf.readStrings();
      elf.readLoader();
    }
    return elf;
  }

  /** Whether it is for x86-64. */
  public boolean isX86() {
    return isX86;
  }

  public boolean is64Bit() {
    return is64Bit;
  }

  /** Whether a dynamic loader is needed; otherwise the program is statically linked. */
  public boolean hasLoader() {
    return segments.stream().anyMatch(segment -> segment.type == INTERPRETER);
  }

  /** The dynamic loader that it names; null if there is none. */
  public @Nullable String loader() {
    return loader;
  }

  /** Libraries that it is linked with. */
  public List<String> needed() {
    return needed;
  }

  /** Names of the symbols it imports and exports. */
  public List<String> names() {
    return strings;
  }

  private void readLoader() throws IOException {
    for (Segment segment : segments) {
      if (segment.type == INTERPRETER) {
        loader = text(part(channel, segment.offset, segment.size), 0);
      }
    }
  }

  private void readStrings() throws IOException {
    for (Segment segment : segments) {
      if (segment.type == DYNAMIC) {
        ByteBuffer entries = part(channel, segment.offset, segment.size);
        long address = valueOf(entries, STRINGS);
        ByteBuffer text = part(channel, offsetOf(address), valueOf(entries, STRINGS_SIZE));
        for (int at = 0; at + 16 <= entries.limit(); at += 16) {
          if (entries.getLong(at) == NEEDED) {
            needed.add(text(text, entries.getLong(at + 8)));
          }
        }
        strings = List.of(StandardCharsets.ISO_8859_1.decode(text.rewind()).toString().split("\0"));
      }
    }
  }

  private static long valueOf(ByteBuffer entries, int tag) {
    for (int at = 0; at + 16 <= entries.limit(); at += 16) {
      if (entries.getLong(at) == tag) {
        return entries.getLong(at + 8);
      }
    }
    return -1;
  }

  private static String text(ByteBuffer strings, long at) {
    int end = Math.clamp(at, 0, strings.limit());
    int begin = end;
    while (end < strings.limit() && strings.get(end) != 0) {
      end++;
    }
    byte[] bytes = new byte[end - begin];
    strings.get(begin, bytes);
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  /** Where in the file an address lies; -1 if nowhere. */
  private long offsetOf(long address) {
    for (Segment segment : segments) {
      long inside = address - segment.address;
      if (segment.type == LOAD && inside >= 0 && inside < segment.size) {
        return segment.offset + inside;
      }
    }
    return -1;
  }

  private static ByteBuffer part(FileChannel channel, long position, long size) throws IOException {
    boolean sane = position >= 0 && size > 0 && size <= LARGEST_PART;
    ByteBuffer buffer = ByteBuffer.allocate(sane ? (int) size : 0).order(ByteOrder.LITTLE_ENDIAN);
    return fill(buffer, channel, position);
  }

  /** Reads until an empty buffer is full or the file has ended; the buffer, to be read from. */
  public static ByteBuffer fill(ByteBuffer buffer, FileChannel channel, long position)
      throws IOException {
    while (buffer.hasRemaining() && channel.read(buffer, position + buffer.position()) > 0) {
      // goes on
    }
    return buffer.flip();
  }
}
