package dev.kymo.network.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Frames are packed if the network is slow, and arrive as they were. */
class PackingTest {
  private static final int FRAMES = 150;
  private static final int LENGTH = 20_000;

  /** On this clock packing a frame takes this long, whatever the machine does meanwhile. */
  private static final long PACKING = 1_000;

  private long now;

  private long now() {
    now += PACKING;
    return now;
  }

  /** A network on which each write takes so long, and what reading the clock takes. */
  private OutputStream taking(long nanos, ByteArrayOutputStream to) {
    return new OutputStream() {
      @Override
      public void write(int one) {
        to.write(one);
      }

      @Override
      public void write(byte[] bytes, int offset, int length) {
        to.write(bytes, offset, length);
        now += nanos;
      }
    };
  }

  private static byte[] likeEvents(int seed) {
    byte[] bytes = new byte[LENGTH];
    Random random = new Random(seed);
    for (int i = 0; i < bytes.length; i += 8) {
      bytes[i] = (byte) random.nextInt();
    }
    return bytes;
  }

  /** Returns what went over the network. */
  private byte[] send(long nanos) throws IOException {
    ByteArrayOutputStream network = new ByteArrayOutputStream();
    Packing packing = new Packing(this::now);
    FrameWriter out = new FrameWriter(packing.measured(taking(nanos, network)), packing);
    for (int i = 0; i < FRAMES; i++) {
      out.begin(FrameType.WRITE).u32(7).u64((long) i * LENGTH).end(likeEvents(i), LENGTH);
      out.begin(FrameType.MARK).u64(i).end();
    }
    assertThat(out.sent()).isEqualTo(network.size());
    return network.toByteArray();
  }

  private static void assertArrives(byte[] network) throws IOException {
    FrameReader in = new FrameReader(new ByteArrayInputStream(network));
    for (int i = 0; i < FRAMES; i++) {
      assertThat(in.next(FrameType.LARGEST)).isEqualTo(FrameType.WRITE);
      assertThat(in.u32()).isEqualTo(7);
      assertThat(in.u64()).isEqualTo((long) i * LENGTH);
      byte[] rest = new byte[in.rest().remaining()];
      in.rest().get(rest);
      assertThat(rest).isEqualTo(likeEvents(i));
      assertThat(in.next(FrameType.LARGEST)).isEqualTo(FrameType.MARK);
      assertThat(in.u64()).isEqualTo(i);
    }
    assertThat(in.taken()).isEqualTo(network.length);
  }

  @Test
  void aSlowNetworkGetsPackedFrames() throws IOException {
    byte[] network = send(10 * PACKING);
    assertArrives(network);
    assertThat(network.length).isLessThan(FRAMES * LENGTH / 2);
  }

  @Test
  void aNetworkThatTakesNoTimeGetsFramesAsTheyAre() throws IOException {
    byte[] network = send(0);
    assertArrives(network);
    assertThat(network.length).isGreaterThan(FRAMES * LENGTH * 9 / 10);
  }

  @Test
  void whatWouldBeTooLargeIsRefused() throws IOException {
    ByteArrayOutputStream network = new ByteArrayOutputStream();
    FrameWriter out = new FrameWriter(network);
    out.begin(FrameType.PACKED).u32(FrameType.LARGEST + 1).end(new byte[5], 5);
    FrameReader in = new FrameReader(new ByteArrayInputStream(network.toByteArray()));
    assertThatThrownBy(() -> in.next(FrameType.LARGEST))
        .isInstanceOf(ProtocolException.class)
        .hasMessageContaining("too large");
  }

  /** Its length is not what its sender says, or it is no packed frame at all. */
  @Test
  void whatIsDamagedIsRefused() throws IOException {
    byte[] packed = new Packing().packed(likeEvents(1));
    for (int length : new int[] {LENGTH - 1, LENGTH + 1, 0}) {
      ByteArrayOutputStream network = new ByteArrayOutputStream();
      new FrameWriter(network).begin(FrameType.PACKED).u32(length).end(packed, packed.length);
      FrameReader in = new FrameReader(new ByteArrayInputStream(network.toByteArray()));
      assertThatThrownBy(() -> in.next(FrameType.LARGEST))
          .isInstanceOf(ProtocolException.class)
          .hasMessageContaining("a packed frame is");
    }
    assertThatThrownBy(() -> Packing.unpacked(new byte[] {1, 2, 3}, 10))
        .isInstanceOf(ProtocolException.class);
  }
}
