package dev.kymo.bench;

import dev.kymo.api.Kymo;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Arrays;

/**
 * A byte written into a TCP connection and read again by one thread, while that is recorded and
 * while it is switched off; the two take turns. Prints the medians of rounds in nanoseconds a call,
 * and their difference; just one, if nobody records.
 */
public final class MessageLoop {
  private static final int ROUNDS = 101;
  private static final int WARM_UP = 20;
  private static final int PAIRS = 5_000;

  private MessageLoop() {}

  /** No arguments. */
  public static void main(String[] args) throws IOException {
    try (ServerSocketChannel server = ServerSocketChannel.open()) {
      server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      try (SocketChannel from = SocketChannel.open(server.getLocalAddress());
          SocketChannel to = server.accept()) {
        measure(from, to);
      }
    }
  }

  private static void measure(SocketChannel from, SocketChannel to) throws IOException {
    double[] on = new double[ROUNDS];
    double[] off = new double[ROUNDS];
    ByteBuffer one = ByteBuffer.allocateDirect(1);
    for (int i = -WARM_UP; i < ROUNDS; i++) {
      Kymo.enable("socket");
      double recorded = round(from, to, one);
      Kymo.disable("socket");
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
        "java  recorded %.0f ns a call, off %.0f ns: %.0f ns more%n",
        with, without, with - without);
  }

  private static double round(SocketChannel from, SocketChannel to, ByteBuffer one)
      throws IOException {
    long begin = System.nanoTime();
    for (int i = 0; i < PAIRS; i++) {
      one.clear();
      int written = from.write(one);
      one.clear();
      if (written + to.read(one) != 2) {
        throw new IOException("not one byte each");
      }
    }
    return (System.nanoTime() - begin) / (2.0 * PAIRS);
  }
}
