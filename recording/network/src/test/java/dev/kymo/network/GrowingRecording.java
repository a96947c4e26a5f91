package dev.kymo.network;

import dev.kymo.format.PacketLayout;
import dev.kymo.format.StreamClass;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;

/**
 * Writes a recording as a recorder does: packets that grow, are closed and are cut off at the end;
 * streams that begin later, and some that go; metadata that is replaced. All of it is also in a
 * second directory, from which nobody takes anything away.
 */
final class GrowingRecording {
  private static final int ROOM = 16 << 10;

  final UUID uuid;
  private final List<Path> directories;
  private final Random seeded;
  private final List<Stream> streams = new ArrayList<>();
  private int made;
  private long clock = 1;

  GrowingRecording(Path directory, Path shadow, long seed) throws IOException {
    this.directories = List.of(directory, shadow);
    this.uuid = new UUID(seed, 1);
    this.seeded = new Random(seed);
    for (Path each : directories) {
      Files.createDirectory(each);
    }
    metadata();
    for (int i = 0; i < 3; i++) {
      begin();
    }
  }

  /** One stream, the same in all directories. */
  private final class Stream {
    final String name;
    final List<FileChannel> files = new ArrayList<>();
    final int streamClass;
    long closed;
    int content;
    long sequence;

    Stream(String name, int streamClass) throws IOException {
      this.name = name;
      this.streamClass = streamClass;
      for (Path directory : directories) {
        files.add(
            FileChannel.open(
                directory.resolve(name), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE));
      }
    }

    void grow() throws IOException {
      if (content == 0) {
        content = PacketLayout.HEADER_SIZE;
      }
      byte[] records = new byte[Math.min(8 * (1 + seeded.nextInt(400)), ROOM - content)];
      seeded.nextBytes(records);
      for (FileChannel file : files) {
        if (file.size() < closed + ROOM) {
          file.write(ByteBuffer.allocate(1), closed + ROOM - 1);
        }
        file.write(ByteBuffer.wrap(records), closed + content);
      }
      content += records.length;
      header(ROOM);
      if (content == ROOM) {
        close();
      }
    }

    private void header(int room) throws IOException {
      ByteBuffer header =
          ByteBuffer.allocate(PacketLayout.HEADER_SIZE).order(ByteOrder.LITTLE_ENDIAN);
      PacketLayout.open(header, 0, uuid, streamClass, 1, 1);
      PacketLayout.begin(header, 0, clock, 0, sequence, 1);
      PacketLayout.close(header, 0, ++clock, content);
      header.putLong(PacketLayout.PACKET_SIZE_OFFSET, room * 8L);
      for (FileChannel file : files) {
        file.write(header.duplicate(), closed);
      }
    }

    void close() {
      closed += ROOM;
      content = 0;
      sequence++;
    }

    void trim() throws IOException {
      if (content > 0) {
        header(content);
        for (FileChannel file : files) {
          file.truncate(closed + content);
        }
        closed += content;
        content = 0;
        sequence++;
      }
    }

    void end() throws IOException {
      for (FileChannel file : files) {
        file.close();
      }
    }
  }

  private void begin() throws IOException {
    int kind = made % 4 == 0 ? StreamClass.DEFINITIONS : StreamClass.THREADS;
    streams.add(new Stream("p1-ring-" + made++, kind));
  }

  private void metadata() throws IOException {
    for (Path directory : directories) {
      Path fresh = directory.resolve(".metadata");
      Files.writeString(fresh, "/* CTF 1.8 */ clock " + clock);
      Files.move(fresh, directory.resolve("metadata"), StandardCopyOption.REPLACE_EXISTING);
    }
  }

  /** Does something of what recorders do. */
  void step() throws IOException {
    int what = seeded.nextInt(200);
    if (what == 0) {
      metadata();
    } else if (what == 1 && made < 12) {
      begin();
    } else if (what == 2 && streams.size() > 3) {
      delete(streams.remove(seeded.nextInt(streams.size())));
    } else if (what < 10) {
      stream().trim();
    } else {
      stream().grow();
    }
    present();
  }

  /** Lets one stream grow that is not of definitions. */
  void growOne(long bytes) throws IOException {
    Stream stream = streams.get(1);
    while (stream.closed < bytes) {
      stream.grow();
    }
    present();
  }

  private Stream stream() {
    return streams.get(seeded.nextInt(streams.size()));
  }

  private void delete(Stream stream) throws IOException {
    stream.end();
    for (Path directory : directories) {
      Files.delete(directory.resolve(stream.name));
    }
  }

  private void present() throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    Files.write(directories.getFirst().resolve(".present"), bytes.putLong(0, clock).array());
  }

  void finish() throws IOException {
    for (Stream stream : streams) {
      stream.trim();
      stream.end();
    }
    metadata();
    Files.delete(directories.getFirst().resolve(".present"));
  }
}
