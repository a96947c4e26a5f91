package dev.kymo.bench;

import dev.kymo.api.Kymo;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A text written into a TCP connection and read again by one thread, while that is recorded and
 * while it is switched off; the two take turns. Prints the medians of rounds in nanoseconds a call,
 * and their difference.
 */
public final class MessageLoop {
  private static final int ROUNDS = 101;
  private static final int WARM_UP = 20;
  private static final int PAIRS = 5_000;

  private MessageLoop() {}

  /** The argument is the text. */
  public static void main(String[] args) throws IOException {
    try (ServerSocketChannel server = ServerSocketChannel.open()) {
      server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      try (SocketChannel from = SocketChannel.open(server.getLocalAddress());
          SocketChannel to = server.accept()) {
        measure(from, to, args[0].getBytes(StandardCharsets.UTF_8));
      }
    }
  }

  private static void measure(SocketChannel from, SocketChannel to, byte[] text)
      throws IOException {
    double[] on = new double[ROUNDS];
    double[] off = new double[ROUNDS];
    ByteBuffer one = ByteBuffer.allocateDirect(text.length).put(text);
    for (int i = -WARM_UP; i < ROUNDS; i++) {
      Kymo.enable("socket");
      Kymo.enable("http");
      double recorded = round(from, to, one);
      Kymo.disable("socket");
      Kymo.disable("http");
      double unrecorded = round(from, to, one);
      if (i >= 0) {
        on[i] = recorded;
        off[i] = unrecorded;
      }
    }
    Arrays.sort(on);
    Arrays.sort(off);
    double with = on[ROUNDS / 2];
    double without = off[ROUNDS / 2];
    System.out.printf(
        "java  %.4s: recorded %.0f ns a call, off %.0f ns: %.0f ns more%n",
        new String(text, StandardCharsets.UTF_8), with, without, with - without);
  }

  private static double round(SocketChannel from, SocketChannel to, ByteBuffer one)
      throws IOException {
    long begin = System.nanoTime();
    for (int i = 0; i < PAIRS; i++) {
      one.clear();
      int written = from.write(one);
      one.clear();
      if (written + to.read(one) != 2 * one.capacity()) {
        throw new IOException("not whole");
      }
    }
    return (System.nanoTime() - begin) / (2.0 * PAIRS);
  }
}
