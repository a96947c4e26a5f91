package dev.kymo.recorder.messages;

import dev.kymo.format.EventKind;
import dev.kymo.recorder.platform.AgentLibrary;
import dev.kymo.recorder.platform.JdkInternals;
import dev.kymo.recorder.platform.RawMemory;
import dev.kymo.recorder.platform.RecorderWork;
import dev.kymo.recorder.ring.EventProbe;
import dev.kymo.recorder.ring.Probe;
import dev.kymo.recorder.userevents.UserEvents;
import java.io.FileDescriptor;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The methods that the JDK's sockets call when a call has written or read bytes. The event is a
 * message: its key is the number of the bytes' stream, which both ends of the connection have, and
 * the positions in it say which bytes they are. A write has the time at which it began, because the
 * other end may have read the bytes before it returned; a read has the time at which it returned.
 *
 * <p>Connections are found by the system's number of the socket, and recognized by their descriptor
 * object, because numbers are used again. Bytes are counted from a connection's first byte on. What
 * was connected before recording began is left out: nobody knows how many bytes went through it.
 *
 * <p>Called in the middle of the JDK's locks, so nothing is thrown. Only the first use of a
 * connection takes a lock, for a few system calls.
 */
public final class SocketStreams {
  private static final int OFF = 0;

  /** Whatever is used now was connected before recording begins. */
  private static final int LEAVING_OUT = 1;

  private static final int ON = 2;

  private static final int CONNECTION = 0;
  private static final int WRITE = 1;
  private static final int READ = 2;

  private static final int MOST_DESCRIPTORS = 1 << 20;
  private static final Path DESCRIPTORS = Path.of("/proc/self/fd");

  /** The events' numbers, 0 if they are not recorded; {@link UserEvents} writes them. */
  private static final int[] NUMBERS = new int[3];

  /** What was open when recording began: number, and what it was. */
  private static final ConcurrentHashMap<Integer, String> BEFORE = new ConcurrentHashMap<>();

  private static boolean defined;
  private static volatile int mode;

  /** By the number of the descriptor; grows under this class's lock. */
  private static volatile AtomicReferenceArray<@Nullable Connection> connections =
      new AtomicReferenceArray<>(256);

  private SocketStreams() {}

  /** Defines the events. From now on, what is used is left out, until {@link #begin}. */
  public static synchronized void prepare() {
    if (!defined) {
      defined = true;
      Object[][] events = {
        {
          CONNECTION,
          "connection",
          EventKind.INSTANT.number(),
          "",
          "A connection is used for the first time",
          "u64 out; u64 in; str local; str remote;"
        },
        {
          WRITE,
          "write",
          EventKind.SEND.number(),
          "",
          "Bytes were written into a connection",
          Traffic.FIELDS
        },
        {
          READ,
          "read",
          EventKind.RECEIVE.number(),
          "",
          "Bytes were read from a connection",
          Traffic.FIELDS
        }
      };
      UserEvents.define(new Object[] {"socket", 0, "sockets", "", events, NUMBERS});
      HttpNames.define();
    }
    connections = new AtomicReferenceArray<>(256);
    BEFORE.clear();
    mode = LEAVING_OUT;
  }

  /** From now on new connections are recorded; the JDK must call the methods here by now. */
  public static synchronized void begin() throws IOException {
    try (DirectoryStream<Path> open = Files.newDirectoryStream(DESCRIPTORS)) {
      for (Path descriptor : open) {
        String what = what(descriptor);
        if (what.startsWith("socket:")) {
          BEFORE.put(Integer.valueOf(String.valueOf(descriptor.getFileName())), what);
        }
      }
    }
    mode = ON;
  }

  public static synchronized void end() {
    mode = OFF;
    connections = new AtomicReferenceArray<>(256);
    BEFORE.clear();
  }

  private static String what(Path descriptor) {
    try {
      return Files.readSymbolicLink(descriptor).toString();
    } catch (IOException e) {
      return ""; // closed meanwhile
    }
  }

  /**
   * A call is about to write.
   *
   * @param from where the bytes are, or the list of the places where they are ({@code struct
   *     iovec}); 0 if nobody knows
   * @param size how many bytes or places there are
   */
  public static void beforeWrite(FileDescriptor descriptor, long from, int size, boolean isList) {
    try {
      if (mode == OFF) {
        return;
      }
      Traffic traffic = of(descriptor).traffic;
      if (traffic != null && (NUMBERS[WRITE] > 0 || HttpNames.areOn())) {
        EventProbe.mark();
        traffic.beforeWrite(first(isList ? Long.MAX_VALUE : size, from, isList));
        if (traffic.looksAtWritten() && from != 0) {
          traffic.beforeWrite(content(from, isList));
        }
      }
    } catch (Throwable e) {
      Probe.fail(e);
    }
  }

  /**
   * It has written.
   *
   * @param bytes how many; below 0 if it could not
   */
  public static void wrote(long bytes, FileDescriptor descriptor) {
    try {
      if (mode == OFF) {
        return;
      }
      Traffic traffic = of(descriptor).traffic;
      HttpNames.Name name = traffic == null ? null : traffic.takeWritten();
      if (traffic != null && bytes > 0) {
        if (name != null) {
          name.recordSinceMark();
        }
        for (HttpNames.Name more : traffic.namesOfWritten(bytes)) {
          more.recordSinceMark();
        }
        UserEvents.dataSinceMark(NUMBERS[WRITE], traffic.wrote(bytes), Traffic.SIZE);
      }
    } catch (Throwable e) {
      Probe.fail(e);
    }
  }

  /**
   * A call has read.
   *
   * @param bytes how many; below 0 if it could not
   * @param to where, likewise
   */
  public static void read(long bytes, FileDescriptor descriptor, long to, boolean isList) {
    try {
      if (bytes <= 0 || mode == OFF) {
        return;
      }
      Traffic traffic = of(descriptor).traffic;
      if (traffic != null) {
        byte[] first = first(bytes, to, isList);
        HttpNames.Name name = first == null ? null : traffic.afterRead(first);
        if (name != null) {
          name.record();
        }
        if (traffic.looksAtRead()) {
          for (HttpNames.Name more : traffic.namesOfRead(content(to, isList), bytes)) {
            more.record();
          }
        }
        UserEvents.data(NUMBERS[READ], traffic.read(bytes), Traffic.SIZE);
      }
    } catch (Throwable e) {
      Probe.fail(e);
    }
  }

  /** A copy of the first bytes if they may have a name: those of most calls have none. */
  private static byte @Nullable [] first(long bytes, long address, boolean isList) {
    if (address == 0 || !HttpNames.areOn()) {
      return null;
    }
    long first = isList ? RawMemory.int64(address) : address;
    long there = isList ? Math.min(bytes, RawMemory.int64(address + Long.BYTES)) : bytes;
    return HttpNames.areEnough(there) && HttpNames.mayBegin(RawMemory.int32(first))
        ? RawMemory.copy(first, (int) Math.min(there, HttpLine.LOOKED_AT))
        : null;
  }

  private static Content content(long address, boolean isList) {
    return isList ? new Content.OfList(address) : new Content.OfMemory(address);
  }

  private static Connection of(FileDescriptor descriptor) {
    int number = JdkInternals.number(descriptor);
    AtomicReferenceArray<@Nullable Connection> all = connections;
    Connection known = number >= 0 && number < all.length() ? all.get(number) : null;
    return known != null && known.refersTo(descriptor) ? known : first(descriptor, number);
  }

  /** A descriptor that was not seen before. */
  private static Connection first(FileDescriptor descriptor, int number) {
    Connection known = put(descriptor, number);
    byte[] ends = known.takeEnds();
    if (ends != null) { // without the lock: where a ring is full, this may wait for the recorder
      UserEvents.data(NUMBERS[CONNECTION], ends, ends.length);
    }
    return known;
  }

  private static synchronized Connection put(FileDescriptor descriptor, int number) {
    AtomicReferenceArray<@Nullable Connection> all = room(number);
    if (number < 0 || number >= all.length()) {
      return new Connection(descriptor, null, null);
    }
    Connection known = all.get(number);
    if (known == null || !known.refersTo(descriptor)) {
      known = found(descriptor, number);
      all.set(number, known);
    }
    return known;
  }

  private static AtomicReferenceArray<@Nullable Connection> room(int number) {
    AtomicReferenceArray<@Nullable Connection> all = connections;
    if (number < all.length() || number >= MOST_DESCRIPTORS) {
      return all;
    }
    AtomicReferenceArray<@Nullable Connection> more =
        new AtomicReferenceArray<>(Math.max(number + 1, 2 * all.length()));
    for (int i = 0; i < all.length(); i++) {
      more.set(i, all.get(i));
    }
    connections = more;
    return more;
  }

  private static Connection found(FileDescriptor descriptor, int number) {
    long[] streams = new long[2];
    byte[] ends;
    boolean begun = RecorderWork.begin();
    try {
      String before = BEFORE.remove(number);
      boolean old = before != null && before.equals(what(DESCRIPTORS.resolve("" + number)));
      ends = mode != ON || old ? null : AgentLibrary.peers(number, streams);
    } finally {
      RecorderWork.end(begun);
    }
    if (ends == null) {
      return new Connection(descriptor, null, null);
    }
    return new Connection(descriptor, new Traffic(streams[0], streams[1]), data(streams, ends));
  }

  private static byte[] data(long[] streams, byte[] ends) {
    int local = 0;
    while (ends[local] != '\n') {
      local++;
    }
    int remote = ends.length - local - 1;
    ByteBuffer data =
        ByteBuffer.allocate(2 * Long.BYTES + 2 * Short.BYTES + local + remote)
            .order(ByteOrder.LITTLE_ENDIAN);
    data.putLong(streams[0]).putLong(streams[1]);
    data.putShort((short) local).put(ends, 0, local);
    data.putShort((short) remote).put(ends, local + 1, remote);
    return data.array();
  }
}
