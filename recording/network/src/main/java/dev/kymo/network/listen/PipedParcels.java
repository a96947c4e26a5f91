package dev.kymo.network.listen;

import dev.kymo.network.wire.FrameType;
import dev.kymo.network.wire.ProtocolException;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;

/** Receives recordings from a stream, as {@code dev.kymo.network.send.Pipe} writes it. */
public final class PipedParcels {
  private static final int LARGEST = 4 * FrameType.LARGEST;
  private static final long SYNC_NANOS = 500_000_000;

  private PipedParcels() {}

  /**
   * Takes everything up to the end of the stream, and puts it on disk.
   *
   * @return recordings of which the end has not come
   * @throws ProtocolException if it is no such stream; what came before is on disk
   * @throws IOException if it cannot be read or written
   */
  public static List<Path> receive(InputStream from, ReceivedParcels to) throws IOException {
    DataInputStream in = new DataInputStream(new BufferedInputStream(from, 1 << 16));
    try {
      long synced = System.nanoTime();
      for (int first = in.read(); first >= 0; first = in.read()) {
        to.take(parcel(in, first));
        if (in.available() == 0 || System.nanoTime() - synced >= SYNC_NANOS) {
          to.sync();
          synced = System.nanoTime();
        }
      }
    } catch (EOFException e) {
      throw new ProtocolException("it ends in the middle of a parcel");
    } finally {
      to.sync();
    }
    return to.incomplete();
  }

  private static byte[] parcel(DataInputStream in, int first) throws IOException {
    int length = first << 24 | in.readUnsignedByte() << 16 | in.readUnsignedShort();
    if (length < 0 || length > LARGEST) {
      throw new ProtocolException("not a recording that was sent: length=" + length);
    }
    byte[] parcel = new byte[length];
    in.readFully(parcel);
    return parcel;
  }
}
