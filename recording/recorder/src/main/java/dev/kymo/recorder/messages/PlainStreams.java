package dev.kymo.recorder.messages;

import dev.kymo.format.EventKind;
import dev.kymo.recorder.platform.WeakObjects;
import dev.kymo.recorder.ring.Probe;
import dev.kymo.recorder.userevents.UserEvents;
import java.nio.ByteBuffer;
import java.util.Arrays;
import javax.net.ssl.SSLEngineResult;
import org.jspecify.annotations.Nullable;

/**
 * The methods that the JDK's TLS calls with plain bytes, before they are encrypted and after they
 * were decrypted. The events are messages as those of {@link SocketStreams}, with positions in the
 * plain bytes; the numbers of the streams are made of what client and server have told each other
 * in the handshake, openly and by chance.
 *
 * <p>Bytes count as written when they are about to be encrypted, as they are sent after that. Both
 * ends of a connection are known from the end of the first handshake on. Nothing is thrown.
 */
public final class PlainStreams {
  private static final int WRITE = 0;
  private static final int READ = 1;

  /** The events' numbers, 0 if they are not recorded; {@link UserEvents} writes them. */
  private static final int[] NUMBERS = new int[2];

  private static final long GOLDEN = 0x9E3779B97F4A7C15L;
  private static final int SPREAD = 29;

  /** Halves of what {@link #beforeUnwrap} returns. */
  private static final int INDEX_SHIFT = 32;

  /** By the JDK's object for the connection. */
  private static final WeakObjects<Traffic> CONNECTIONS = new WeakObjects<>();

  private static boolean defined;
  private static volatile boolean on;

  private PlainStreams() {}

  /** Defines the events; from now on new connections are recorded. */
  public static synchronized void begin() {
    if (!defined) {
      defined = true;
      Object[][] events = {
        {WRITE, "write", EventKind.SEND.number(), "", "Bytes are to be encrypted", Traffic.FIELDS},
        {READ, "read", EventKind.RECEIVE.number(), "", "Bytes were decrypted", Traffic.FIELDS}
      };
      UserEvents.define(new Object[] {"tls", 0, "sockets", "", events, NUMBERS});
    }
    on = true;
  }

  public static void end() {
    on = false;
    CONNECTIONS.clear();
  }

  /**
   * A handshake ends.
   *
   * @param connection the JDK's object for it
   * @param isDatagram whether bytes may get lost; such a connection is left out
   */
  public static void connected(
      Object connection,
      byte[] clientRandom,
      byte[] serverRandom,
      boolean isClient,
      boolean isDatagram) {
    if (!on || isDatagram) {
      return;
    }
    try {
      long asked = number(clientRandom, number(serverRandom, 1));
      long answered = number(clientRandom, number(serverRandom, 2));
      CONNECTIONS.putIfAbsent(
          connection, isClient ? new Traffic(asked, answered) : new Traffic(answered, asked));
    } catch (Throwable e) {
      Probe.fail(e);
    }
  }

  private static long number(byte[] random, long begin) {
    long number = begin;
    for (byte b : random) {
      number = (number ^ b) * GOLDEN;
      number ^= number >>> SPREAD;
    }
    return number;
  }

  private static @Nullable Traffic of(Object connection) {
    return on ? CONNECTIONS.get(connection) : null;
  }

  /** Bytes of an array are about to be written. */
  public static void writing(byte[] from, int offset, int length, Object connection) {
    try {
      Traffic traffic = of(connection);
      if (traffic != null) {
        synchronized (traffic) {
          traffic.beforeWrite(first(from, offset, length));
          if (traffic.looksAtWritten()) {
            traffic.beforeWrite(new Content.OfArray(from, offset));
          }
          wrote(traffic, length);
        }
      }
    } catch (Throwable e) {
      Probe.fail(e);
    }
  }

  /** An array has got bytes that were read; below 0 if none. */
  public static void read(int bytes, byte[] to, int offset, Object connection) {
    try {
      Traffic traffic = bytes > 0 ? of(connection) : null;
      if (traffic != null) {
        synchronized (traffic) {
          read(traffic, first(to, offset, bytes), new Content.OfArray(to, offset), bytes);
        }
      }
    } catch (Throwable e) {
      Probe.fail(e);
    }
  }

  /** Bytes of buffers are about to be encrypted, or some of them. */
  public static void beforeWrap(ByteBuffer[] from, int offset, int length, Object connection) {
    try {
      Traffic traffic = of(connection);
      int index = traffic == null ? offset : next(from, offset, length);
      if (traffic != null && index < offset + length) {
        ByteBuffer buffer = from[index];
        traffic.beforeWrite(first(buffer, buffer.position(), buffer.remaining()));
        if (traffic.looksAtWritten()) {
          traffic.beforeWrite(new Content.OfBuffers(from, index, offset + length - index));
        }
      }
    } catch (Throwable e) {
      Probe.fail(e);
    }
  }

  /** They were. */
  public static void wrapped(SSLEngineResult result, Object connection) {
    try {
      Traffic traffic = of(connection);
      if (traffic != null) {
        wrote(traffic, result.bytesConsumed());
      }
    } catch (Throwable e) {
      Probe.fail(e);
    }
  }

  /** Buffers may get decrypted bytes; returns where, for {@link #unwrapped}. */
  public static long beforeUnwrap(ByteBuffer[] to, int offset, int length) {
    try {
      int index = on ? next(to, offset, length) : offset + length;
      return index == offset + length ? -1 : (long) index << INDEX_SHIFT | to[index].position();
    } catch (Throwable e) {
      Probe.fail(e);
      return -1;
    }
  }

  /** They have got some, or none. */
  public static void unwrapped(
      SSLEngineResult result, ByteBuffer[] to, long place, Object connection) {
    try {
      int bytes = result.bytesProduced();
      Traffic traffic = bytes > 0 ? of(connection) : null;
      if (traffic != null) {
        byte[] first = null;
        Content content = null;
        if (place >= 0) {
          ByteBuffer buffer = to[(int) (place >> INDEX_SHIFT)];
          int there = buffer.position() - (int) place;
          first = first(buffer, (int) place, Math.min(bytes, there));
          content = there < bytes ? null : new Content.OfBuffers(buffer, (int) place);
        }
        read(traffic, first, content, bytes);
      }
    } catch (Throwable e) {
      Probe.fail(e);
    }
  }

  /** The first buffer that has something, or has room. */
  private static int next(ByteBuffer[] buffers, int offset, int length) {
    int index = offset;
    while (index < offset + length && !buffers[index].hasRemaining()) {
      index++;
    }
    return index;
  }

  private static void wrote(Traffic traffic, int bytes) {
    HttpNames.Name name = traffic.takeWritten();
    if (bytes > 0) {
      if (name != null) {
        name.record();
      }
      for (HttpNames.Name more : traffic.namesOfWritten(bytes)) {
        more.record();
      }
      UserEvents.data(NUMBERS[WRITE], traffic.wrote(bytes), Traffic.SIZE);
    }
  }

  private static void read(
      Traffic traffic, byte @Nullable [] first, @Nullable Content content, int bytes) {
    HttpNames.Name name = first == null ? null : traffic.afterRead(first);
    if (name != null) {
      name.record();
    }
    for (HttpNames.Name more : traffic.namesOfRead(content, bytes)) {
      more.record();
    }
    UserEvents.data(NUMBERS[READ], traffic.read(bytes), Traffic.SIZE);
  }

  /** A copy of the first bytes if they may have a name. */
  private static byte @Nullable [] first(byte[] bytes, int offset, int length) {
    return HttpNames.areEnough(length) && HttpNames.mayBegin(HttpLine.first(bytes, offset))
        ? Arrays.copyOfRange(bytes, offset, offset + Math.min(length, HttpLine.LOOKED_AT))
        : null;
  }

  /** Likewise; the buffer, which may be anybody's, is not changed. */
  private static byte @Nullable [] first(ByteBuffer buffer, int offset, int length) {
    if (!HttpNames.areEnough(length)) {
      return null;
    }
    byte[] begin = new byte[Integer.BYTES];
    buffer.get(offset, begin);
    if (!HttpNames.mayBegin(HttpLine.first(begin, 0))) {
      return null;
    }
    byte[] first = new byte[Math.min(length, HttpLine.LOOKED_AT)];
    buffer.get(offset, first);
    return first;
  }
}
