package dev.kymo.e2e.network;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import kafka.tools.StorageTool;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.Time;
import org.jspecify.annotations.Nullable;

/** A real Kafka of one broker, in this process. */
final class KafkaBroker implements AutoCloseable {
  private static final int PARTITIONS = 4;

  private final Properties settings = new Properties();
  private final int port;
  private @Nullable KafkaRaftServer server;

  /** Makes its storage, and starts it. */
  KafkaBroker(Path folder) throws IOException {
    int controller;
    try (ServerSocket one = free();
        ServerSocket two = free()) {
      port = one.getLocalPort();
      controller = two.getLocalPort();
    }
    Map<String, String> all = new TreeMap<>();
    all.put("process.roles", "broker,controller");
    all.put("node.id", "1");
    all.put("controller.quorum.voters", "1@127.0.0.1:" + controller);
    all.put(
        "listeners",
        "PLAINTEXT://127.0.0.1:%d,CONTROLLER://127.0.0.1:%d".formatted(port, controller));
    all.put("advertised.listeners", "PLAINTEXT://127.0.0.1:" + port);
    all.put("controller.listener.names", "CONTROLLER");
    all.put("log.dirs", folder.resolve("logs").toString());
    all.put("num.partitions", Integer.toString(PARTITIONS));
    all.put("offsets.topic.replication.factor", "1");
    all.put("offsets.topic.num.partitions", "1");
    all.put("group.initial.rebalance.delay.ms", "0");
    all.put("group.min.session.timeout.ms", "1000");
    settings.putAll(all);
    StringBuilder lines = new StringBuilder();
    all.forEach((name, value) -> lines.append(name).append('=').append(value).append('\n'));
    Path file = Files.writeString(folder.resolve("server.properties"), lines);
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    String[] format = {"format", "-t", Uuid.randomUuid().toString(), "-c", file.toString()};
    if (StorageTool.execute(format, new PrintStream(said, true, StandardCharsets.UTF_8)) != 0) {
      throw new IOException(said.toString(StandardCharsets.UTF_8));
    }
    start();
  }

  private static ServerSocket free() throws IOException {
    return new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"));
  }

  /** Where a topic is; it is made when somebody asks for it. */
  String topic(String name) {
    return "kafka://127.0.0.1:" + port + "/" + name;
  }

  void start() {
    KafkaRaftServer fresh = new KafkaRaftServer(new KafkaConfig(settings), Time.SYSTEM);
    fresh.startup();
    server = fresh;
  }

  void stop() {
    KafkaRaftServer running = server;
    if (running != null) {
      running.shutdown();
      running.awaitShutdown();
      server = null;
    }
  }

  @Override
  public void close() {
    stop();
  }
}
