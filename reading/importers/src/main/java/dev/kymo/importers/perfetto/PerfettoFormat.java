package dev.kymo.importers.perfetto;

import dev.kymo.format.Clock;
import dev.kymo.importers.perfetto.wire.DamagedMessageException;
import dev.kymo.importers.perfetto.wire.Message;
import dev.kymo.importers.perfetto.wire.Packets;
import dev.kymo.importers.target.ForeignException;
import dev.kymo.importers.target.ForeignFile;
import dev.kymo.importers.target.ForeignFormat;
import dev.kymo.importers.target.Import;
import dev.kymo.importers.target.Order;
import dev.kymo.importers.target.Source;
import dev.kymo.importers.target.Target;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Set;

/** Traces of Perfetto, as protocol buffers. */
public final class PerfettoFormat implements ForeignFormat {
  private static final long NANOS = 1_000_000_000L;
  private static final int PROGRESS = 4096;
  private static final byte PACKET = 0x0A;

  /** Fields that packets begin with, of which a file must have some. */
  private static final Set<Integer> USUAL =
      Set.of(1, 2, 3, 6, 8, 10, 11, 12, 13, 33, 36, 41, 43, 44, 45, 50, 58, 59, 60, 79, 87, 89);

  @Override
  public String name() {
    return "perfetto";
  }

  @Override
  public String title() {
    return "Perfetto's trace";
  }

  @Override
  public boolean recognises(ForeignFile file) {
    byte[] head = file.head();
    return head.length > 2
        && head[0] == PACKET
        && isPacket(ByteBuffer.wrap(head, 1, head.length - 1));
  }

  /** Whether a length and a packet of usual fields stand there, as far as the bytes reach. */
  private static boolean isPacket(ByteBuffer head) {
    int length = 0;
    for (int shift = 0; shift <= 28 && head.hasRemaining(); shift += 7) {
      byte next = head.get();
      length |= (next & 0x7F) << shift;
      if (next >= 0) {
        break;
      }
    }
    boolean cut = length > head.remaining();
    Message packet =
        new Message(head.limit(head.position() + Math.clamp(length, 0, head.remaining())));
    int fields = 0;
    try {
      while (packet.next()) {
        if (!USUAL.contains(packet.field())) {
          return false;
        }
        fields++;
      }
    } catch (DamagedMessageException e) {
      return cut && fields > 0;
    }
    return fields > 0;
  }

  @Override
  public void convert(ForeignFile file, Import to) throws IOException {
    Survey survey = new Survey(to.redaction());
    try (Packets packets = new Packets(file.path())) {
      each(file, packets, survey::packet);
    }
    try (Packets packets = new Packets(file.path())) {
      Clock clock = new Clock(Clock.MONOTONIC, NANOS, survey.clocks().wallOffset());
      Source source = Source.unknown(title(), file.name());
      try (Target target = to.begin(clock, 0, source, Order.ANY)) {
        Conversion conversion = new Conversion(target, survey);
        long[] count = {0};
        each(
            file,
            packets,
            packet -> {
              conversion.packet(packet);
              if (++count[0] % PROGRESS == 0) {
                to.progress().at(packets.position(), packets.size());
              }
            });
        conversion.end();
      }
    }
  }

  private interface Taker {
    void take(Message packet) throws IOException;
  }

  private static void each(ForeignFile file, Packets packets, Taker taker) throws IOException {
    try {
      for (Message packet = packets.next(); packet != null; packet = packets.next()) {
        taker.take(packet);
      }
    } catch (DamagedMessageException e) {
      throw new ForeignException(
          "packet is damaged", file.path(), packets.packetAt(), "why=\"" + e.getMessage() + "\"");
    }
  }
}
