package dev.kymo.instructions.calls;

import dev.kymo.format.PacketEncoder;
import dev.kymo.format.StreamClass;
import dev.kymo.format.ThreadRecord;
import java.nio.ByteBuffer;
import java.util.UUID;
import java.util.function.Consumer;

/** Makes packets of a thread's calls, as a recording has them. */
final class NestPackets implements NestSink {
  private static final int PACKET = 64 << 10;

  /** Added to a thread's number, so that no ring has the same. */
  private static final int INSTANCE = 0x40000000;

  private final int thread;
  private final PacketEncoder packet;
  private final Consumer<ByteBuffer> to;
  private long packets;

  /**
   * A stream's packets, from one on.
   *
   * @param first number of the next packet
   * @param to takes each packet; its bytes are valid until the next one
   */
  NestPackets(UUID uuid, int process, int thread, long first, Consumer<ByteBuffer> to) {
    this.thread = thread;
    this.to = to;
    this.packets = first;
    packet = new PacketEncoder(uuid, StreamClass.THREADS, process, INSTANCE + thread, PACKET);
    packet.skip(first);
  }

  @Override
  public void enter(int method, long clock) {
    record(ThreadRecord.ENTER, method, clock);
  }

  @Override
  public void leave(int method, long clock) {
    record(ThreadRecord.LEAVE, method, clock);
  }

  @Override
  public void unwind(int method, long clock) {
    record(ThreadRecord.UNWIND, method, clock);
  }

  @Override
  public void present(long clock) {
    record(ThreadRecord.SWITCH, thread, clock);
  }

  private void record(int id, int payload, long clock) {
    if (packet.isOpen() && !packet.hasRoom(ThreadRecord.EXTENDED_SIZE)) {
      close();
    }
    if (!packet.isOpen()) {
      packet.open(clock, thread);
    }
    packet.record(clock, id, payload);
  }

  /** Closes the open packet, if there is one. */
  void close() {
    if (packet.isOpen()) {
      packets++;
      to.accept(packet.close());
    }
  }

  void gap() {
    close();
    packets++;
    packet.skip(1);
  }

  /** The number of the next packet. */
  long packets() {
    return packets;
  }
}
