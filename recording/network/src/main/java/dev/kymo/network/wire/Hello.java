package dev.kymo.network.wire;

import java.io.IOException;
import java.util.UUID;

/**
 * The first message of a sender.
 *
 * <pre>
 *   u16   version of this protocol: 2
 *   text  token
 *   u64   recording's identity, high and low half
 *   u64
 *   text  session: groups recordings; empty = none
 *   text  name of the recording
 * </pre>
 *
 * @param token proves that the sender may send
 * @param recording identity; a sender that comes back goes on with this recording
 * @param session groups recordings; empty = none
 * @param name what the recording would like to be called
 */
public record Hello(String token, UUID recording, String session, String name) {
  /** The most bytes it may have. */
  public static final int LARGEST = 1 << 11;

  private static final int VERSION = 2;

  public void write(FrameWriter out) throws IOException {
    out.begin(FrameType.HELLO).u16(VERSION).text(token);
    out.u64(recording.getMostSignificantBits()).u64(recording.getLeastSignificantBits());
    out.text(session).text(name).end();
    out.flush();
  }

  /** Reads it, with nothing before it. */
  public static Hello read(FrameReader in) throws IOException {
    FrameType type = in.next(LARGEST);
    if (type != FrameType.HELLO) {
      throw new ProtocolException("does not say who it is: frame=" + type);
    }
    int version = in.u16();
    if (version != VERSION) {
      throw new ProtocolException(
          "speaks another version: theirs=%d ours=%d; use the same Kymo on both sides"
              .formatted(version, VERSION));
    }
    return new Hello(in.text(), new UUID(in.u64(), in.u64()), in.text(), in.text());
  }
}
