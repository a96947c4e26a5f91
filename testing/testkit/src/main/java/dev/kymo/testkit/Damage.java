package dev.kymo.testkit;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/** What can happen to a file: cuts anywhere, flipped bits, absurd numbers, bytes too many. */
public final class Damage {
  private Damage() {}

  /** A recording with platform and virtual threads, losses, and wraps of the clock. */
  public static RecordingBuilder recording() {
    RecordingBuilder r = new RecordingBuilder().packetSize(600);
    r.process(1).thread(1, 1, "main").thread(1, 2, "carrier").virtualThread(1, 3, "v");
    r.virtualThread(1, 4, "w").method(1, 1, "a.B", "x").method(1, 2, "a.B", "y");
    long now = 0xFFFF_F000L;
    StreamWriter main = r.ring(1, 0, 1);
    StreamWriter carrier = r.ring(1, 1, 2);
    for (int i = 0; i < 60; i++) {
      main.enter(now + 10, 1).enter(now + 20, 2).unwind(now + 30, 2).leave(now + 40, 1);
      carrier.switchTo(now + 10, 3 + i % 2).enter(now + 20, 2).leave(now + 50, 2);
      now += 100;
      if (i % 25 == 24) {
        main.lose(3);
      }
    }
    return r.end(1, 0);
  }

  /** Other bytes than those, damaged in one of many ways. */
  public static byte[] of(byte[] whole, SplittableRandom random) {
    byte[] bytes = whole.clone();
    if (bytes.length == 0) {
      return bytes;
    }
    ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    switch (random.nextInt(7)) {
      case 0 -> {
        return Arrays.copyOf(bytes, random.nextInt(bytes.length));
      }
      case 1 -> flip(bytes, random, 1);
      case 2 -> flip(bytes, random, 1 + random.nextInt(200));
      case 3 -> {
        int at = 8 * random.nextInt(Math.max(1, bytes.length / 8));
        if (at + 8 <= bytes.length) {
          buffer.putLong(at, absurd(random));
        }
      }
      case 4 -> header(buffer, random);
      case 5 -> {
        int from = random.nextInt(bytes.length);
        int to = from + random.nextInt(bytes.length - from);
        byte[] shorter = new byte[bytes.length - (to - from)];
        System.arraycopy(bytes, 0, shorter, 0, from);
        System.arraycopy(bytes, to, shorter, from, bytes.length - to);
        return shorter;
      }
      default -> {
        byte[] longer = Arrays.copyOf(bytes, bytes.length + random.nextInt(1000));
        for (int i = bytes.length; i < longer.length; i++) {
          longer[i] = (byte) random.nextInt();
        }
        return longer;
      }
    }
    return bytes;
  }

  private static void flip(byte[] bytes, SplittableRandom random, int times) {
    for (int i = 0; i < times; i++) {
      bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
    }
  }

  /** A field of some packet's header becomes absurd. */
  private static void header(ByteBuffer buffer, SplittableRandom random) {
    List<Integer> packets = new ArrayList<>();
    for (int i = 0; i + 88 <= buffer.capacity(); i++) {
      if (buffer.getInt(i) == 0xC1FC1FC1) {
        packets.add(i);
      }
    }
    if (!packets.isEmpty()) {
      int at = packets.get(random.nextInt(packets.size()));
      buffer.putLong(at + 24 + 8 * random.nextInt(8), absurd(random));
    }
  }

  private static long absurd(SplittableRandom random) {
    return switch (random.nextInt(6)) {
      case 0 -> -1;
      case 1 -> Long.MAX_VALUE;
      case 2 -> Long.MIN_VALUE;
      case 3 -> random.nextLong();
      case 4 -> random.nextInt(10_000) * 8L;
      default -> 1L << random.nextInt(63);
    };
  }
}
