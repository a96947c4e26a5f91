package dev.kymo.reader;

import dev.kymo.format.Definition;
import dev.kymo.format.DefinitionCodec;
import dev.kymo.format.PacketLayout;
import dev.kymo.format.ThreadRecord;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Reads the definitions of one stream, one after the other. A stream that is followed may have none
 * now and some later.
 */
public final class DefinitionStream {
  /** The largest definition fits. */
  private static final int WINDOW = 256 << 10;

  private final FileWindow window;
  private final PacketWalker walker;
  private final PacketOrder order;
  private final Diagnostics diagnostics;
  private long position;
  private long end;
  private long clock;
  private long packets;
  private boolean followed;

  DefinitionStream(Recording recording, StreamFile file, Diagnostics diagnostics) {
    this.window = new FileWindow(file, diagnostics, () -> WINDOW);
    this.walker = new PacketWalker(window, recording.metadata().uuid(), diagnostics, 0);
    this.order = new PacketOrder(recording, file.name(), diagnostics);
    this.diagnostics = diagnostics;
  }

  /** The next definition, or null at the end. */
  public @Nullable Definition next() {
    while (true) {
      if (position >= end) {
        PacketHeader header = nextPacket();
        if (header == null) {
          window.release();
          return null;
        }
        order.check(header, clock, walker.damageBefore());
        position = header.offset() + PacketLayout.HEADER_SIZE;
        end = walker.contentEnd();
        clock = Math.max(clock, order.begin());
        packets++;
      } else {
        Definition definition = decode();
        if (definition != null) {
          return definition;
        }
      }
    }
  }

  /** Ends where the last whole packet ends now, and can go on there. */
  DefinitionStream follow() {
    followed = true;
    return this;
  }

  /** The stream will not grow any more: what cannot be read from now on is odd. */
  void complete() {
    followed = false;
    window.discard();
  }

  private @Nullable PacketHeader nextPacket() {
    if (!followed) {
      return walker.next();
    }
    PacketHeader whole = walker.peekWhole();
    if (whole != null) {
      walker.take(whole);
    }
    return whole;
  }

  /** Process whose definition was read last. */
  public int process() {
    return order.process();
  }

  /** Clock of the definition read last. */
  public long clock() {
    return clock;
  }

  /** Packets read so far. */
  public long packets() {
    return packets;
  }

  private @Nullable Definition decode() {
    long at = position;
    int size = (int) Math.min(end - at, DefinitionCodec.MAX_SIZE);
    window.require(at, size);
    ByteBuffer buffer = window.buffer();
    int index = window.index(at);
    buffer.limit(Math.min(index + size, window.length())).position(index);
    try {
      int marker = buffer.get() & 0xFF;
      int id = buffer.getInt();
      if (marker != ThreadRecord.EXTENDED) {
        throw new IllegalArgumentException("no extended header");
      }
      long then = buffer.getLong();
      Definition definition = DefinitionCodec.get(buffer, id);
      position = at + buffer.position() - index;
      advanceClock(then, at);
      return definition;
    } catch (BufferUnderflowException | IllegalArgumentException e) {
      bad(at, e);
      position = end;
      return null;
    } finally {
      buffer.clear();
    }
  }

  private void advanceClock(long then, long at) {
    if (then < clock || then > order.end()) {
      long now = clock;
      diagnostics.add(
          Oddity.CLOCK_OUTSIDE,
          window.file().name(),
          at,
          () -> "clock=%d before=%d packet_end=%d".formatted(then, now, order.end()));
    } else {
      clock = then;
    }
  }

  private void bad(long at, RuntimeException e) {
    String why = e instanceof BufferUnderflowException ? "it ends too early" : e.getMessage();
    long rest = end - at;
    diagnostics.add(
        Oddity.BAD_DEFINITION,
        window.file().name(),
        at,
        () -> "bytes=%d reason=\"%s\"".formatted(rest, why));
  }
}
