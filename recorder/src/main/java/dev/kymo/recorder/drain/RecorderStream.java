package dev.kymo.recorder.drain;

import dev.kymo.format.Definition;
import dev.kymo.format.DefinitionCodec;
import dev.kymo.format.PacketLayout;
import dev.kymo.format.StreamClass;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.UUID;

/** The drainer's own definitions, stream of process 0; a packet for each, because they are few. */
final class RecorderStream implements AutoCloseable {
  private final StreamFile file;
  private final UUID uuid;
  private final ByteBuffer packet =
      ByteBuffer.allocate(PacketLayout.HEADER_SIZE + DefinitionCodec.MAX_SIZE)
          .order(ByteOrder.LITTLE_ENDIAN);

  RecorderStream(Path directory, UUID uuid) throws IOException {
    this.file = new StreamFile(directory.resolve("p0-definitions"));
    this.uuid = uuid;
  }

  void write(long clock, Definition definition) throws IOException {
    PacketLayout.open(packet, 0, uuid, StreamClass.DEFINITIONS, 0, 0);
    PacketLayout.begin(packet, 0, clock, 0, file.nextPacket(), 0);
    packet.clear().position(PacketLayout.HEADER_SIZE);
    DefinitionCodec.put(packet, clock, definition);
    PacketLayout.close(packet, 0, clock, packet.position());
    file.append(packet.flip());
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
