package dev.kymo.drain;

import dev.kymo.format.Definition;
import dev.kymo.format.DefinitionCodec;
import dev.kymo.format.PacketLayout;
import dev.kymo.format.StreamClass;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;

/** The drainer's own definitions, stream of process 0; a packet for each, because they are few. */
final class RecorderStream implements AutoCloseable {
  private static final String FILE = "p0-definitions";

  private final StreamFile file;
  private final UUID uuid;
  private final ByteBuffer packet =
      ByteBuffer.allocate(PacketLayout.HEADER_SIZE + DefinitionCodec.MAX_SIZE)
          .order(ByteOrder.LITTLE_ENDIAN);

  RecorderStream(Path directory, UUID uuid) throws IOException {
    this.file = new StreamFile(directory.resolve(FILE));
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

  /** Lists the existing streams, except for this one and for names, which others may replace. */
  void writeStreams(long clock, Path directory) throws IOException {
    List<Path> files = new ArrayList<>();
    try (DirectoryStream<Path> all = Files.newDirectoryStream(directory)) {
      all.forEach(files::add);
    }
    Collections.sort(files);
    for (Path each : files) {
      String name = String.valueOf(each.getFileName());
      boolean stream =
          !name.startsWith(".")
              && !name.equals("metadata")
              && !name.equals(FILE)
              && !name.endsWith("-names");
      if (stream && Files.isRegularFile(each, LinkOption.NOFOLLOW_LINKS)) {
        write(clock, new Definition.Stream(name, Files.size(each)));
      }
    }
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
