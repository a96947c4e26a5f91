package dev.kymo.kernel.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.format.Clock;
import dev.kymo.format.KernelEventFormat;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SubscriptionTest {
  private static final int MISSING_ON_EACH = 1000;
  private static final int LOST = 4 + 1 + 26;

  @TempDir Path folder;

  /**
   * Nothing comes behind what was missing last that could say so, and there is no room to say it:
   * it is told all the same, before STOP is answered.
   *
   * @param upTo the last clock told; the largest if nobody else is served
   */
  @ParameterizedTest
  @ValueSource(longs = {10_000, Long.MAX_VALUE})
  void whatIsMissingLastIsToldWithoutRoom(long upTo) throws Exception {
    Path socket = folder.resolve("socket");
    try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      server.bind(UnixDomainSocketAddress.of(socket));
      try (SocketChannel there = SocketChannel.open(UnixDomainSocketAddress.of(socket));
          SocketChannel here = server.accept()) {
        Client client = new Client(1, here, 0);
        subscribeWithoutRoom(client, upTo);
        client.out.send(here);
        ByteBuffer sent = ByteBuffer.allocate(1 << 16).order(ByteOrder.LITTLE_ENDIAN);
        assertThat(there.read(sent)).isGreaterThan(2 * LOST);
        for (int cpu = 0; cpu < 2; cpu++) {
          int at = cpu * LOST;
          assertThat(sent.get(at + 4) & 0xFF).isEqualTo(Frames.LOST);
          assertThat(sent.getShort(at + Frames.HEADER)).isEqualTo((short) cpu);
          assertThat(sent.getLong(at + LOST - 8)).isEqualTo(MISSING_ON_EACH);
        }
        assertThat(sent.get(2 * LOST + 4) & 0xFF).isEqualTo(Frames.OK);
        assertThat(sent.getLong(2 * LOST + Frames.HEADER + 1)).isEqualTo(2 * MISSING_ON_EACH);
      }
    } finally {
      Files.deleteIfExists(socket);
    }
  }

  private static void subscribeWithoutRoom(Client client, long upTo) {
    KernelEventFormat format = KernelEventFormat.parse("t", "name: event\nID: 300\n");
    Registration registration = new Registration(Clock.MONOTONIC, 1, Map.of("t:event", format));
    Subscription subscription = new Subscription(client, registration, () -> 0);
    subscription.start(Set.of("t:event"), 0);
    subscription.formats(List.of(format));
    for (int i = 0; i < 2 * MISSING_ON_EACH; i++) {
      subscription.event(i % 2, i, 0, new byte[8], 0, 8);
    }
    subscription.stop(Set.of("t:event"), 2 * MISSING_ON_EACH);
    subscription.upTo(upTo);
    subscription.answerStops(upTo);
  }
}
