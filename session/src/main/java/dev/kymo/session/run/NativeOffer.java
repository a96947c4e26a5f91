package dev.kymo.session.run;

import dev.kymo.format.OfferLayout;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Makes a running native process that contains libkymo join a recording: writes into its memory
 * what {@link OfferLayout} says.
 */
public final class NativeOffer {
  private static final byte[] MAGIC = OfferLayout.MAGIC.getBytes(StandardCharsets.US_ASCII);
  private static final int ALIGNMENT = 16;

  /** The library's data are smaller, also in a program that is linked with it statically. */
  private static final long LARGEST = 64L << 20;

  private static final byte[] ON = {(byte) 0xFF};

  private final long pid;
  private final long address;

  private NativeOffer(long pid, long address) {
    this.pid = pid;
    this.address = address;
  }

  /**
   * Looks for libkymo in a process.
   *
   * @return null if it is not there
   * @throws IOException if the memory of the process cannot be reached
   */
  public static @Nullable NativeOffer find(long pid) throws IOException {
    try (RandomAccessFile memory = memory(pid)) {
      for (String line : Files.readString(proc(pid, "maps"), StandardCharsets.UTF_8).split("\n")) {
        String[] words = line.split(" +", 6);
        if (words.length == 6 && words[1].startsWith("rw") && words[5].startsWith("/")) {
          long at = find(memory, words[0]);
          if (at != 0) {
            return new NativeOffer(pid, at);
          }
        }
      }
    }
    return null;
  }

  private static long find(RandomAccessFile memory, String range) throws IOException {
    String[] ends = range.split("-");
    long from = Long.parseUnsignedLong(ends[0], 16);
    long size = Long.parseUnsignedLong(ends[1], 16) - from;
    if (size > LARGEST) {
      return 0;
    }
    byte[] bytes = new byte[(int) size];
    try {
      memory.seek(from);
      memory.readFully(bytes);
    } catch (IOException e) {
      return 0; // a device, or unmapped in the meantime
    }
    for (int at = 0; at + OfferLayout.DIRECTORY_OFFSET <= bytes.length; at += ALIGNMENT) {
      if (Arrays.equals(bytes, at, at + MAGIC.length, MAGIC, 0, MAGIC.length)) {
        return from + at;
      }
    }
    return 0;
  }

  /**
   * Makes the offer; the process joins at the next hooked function or event.
   *
   * @throws IOException if the process has ended
   */
  void make(Path session) throws IOException {
    byte[] directory = (session + "\0").getBytes(StandardCharsets.UTF_8);
    if (directory.length > OfferLayout.DIRECTORY_SIZE) {
      throw new IOException("the name of the shared memory is too long: directory=" + session);
    }
    try (RandomAccessFile memory = memory(pid)) {
      byte[] bytes = new byte[OfferLayout.STATE_OFFSET];
      memory.seek(address);
      memory.readFully(bytes);
      ByteBuffer offer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
      write(memory, address + OfferLayout.DIRECTORY_OFFSET, directory);
      write(memory, address + OfferLayout.STATE_OFFSET, new byte[] {OfferLayout.MADE, 0, 0, 0});
      byte[] events = new byte[(int) offer.getLong(OfferLayout.EVENT_COUNT_OFFSET)];
      Arrays.fill(events, ON[0]);
      write(memory, offer.getLong(OfferLayout.EVENTS_OFFSET), events);
      write(memory, offer.getLong(OfferLayout.RECORDING_OFFSET), ON);
      write(memory, offer.getLong(OfferLayout.FUNCTIONS_OFFSET), ON);
    }
  }

  private static void write(RandomAccessFile memory, long at, byte[] bytes) throws IOException {
    memory.seek(at);
    memory.write(bytes);
  }

  private static RandomAccessFile memory(long pid) throws IOException {
    try {
      return new RandomAccessFile(proc(pid, "mem").toFile(), "rw");
    } catch (IOException e) {
      throw new IOException(
          "its memory cannot be accessed: error=\"%s\"; it must be a process of this user, and /proc/sys/kernel/yama/ptrace_scope 0 unless root records"
              .formatted(e.getMessage()),
          e);
    }
  }

  private static Path proc(long pid, String file) {
    return Path.of("/proc", Long.toString(pid), file);
  }
}
