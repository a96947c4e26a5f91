package dev.kymo.kafka;

import dev.kymo.network.listen.ReceivedParcels;
import dev.kymo.network.transport.Transport;
import dev.kymo.network.wire.ProtocolException;
import java.io.EOFException;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;

/**
 * Receives recordings from a topic. Kafka is told how far that is only when everything up to there
 * is on disk; a receiver that begins anew takes what follows again.
 */
final class KafkaReceiver implements Transport.Receiving, ConsumerRebalanceListener {
  private static final Duration POLL = Duration.ofMillis(200);
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final long SYNC_NANOS = 500_000_000;
  private static final long PAUSE_MILLIS = 2_000;

  private final KafkaConsumer<byte[], byte[]> consumer;
  private final Transport.Target target;
  private final ReceivedParcels parcels;
  private final CountDownLatch closing = new CountDownLatch(1);
  private final Thread thread;
  private boolean unsynced;
  private boolean inTrouble;
  private boolean rewinding;
  private long syncedAt = System.nanoTime();

  private KafkaReceiver(KafkaConsumer<byte[], byte[]> consumer, Transport.Target target)
      throws IOException {
    this.consumer = consumer;
    this.target = target;
    this.parcels = ReceivedParcels.in(target.directory(), target.kept(), target.log());
    this.thread = Thread.ofPlatform().name("kymo kafka").unstarted(this::run);
  }

  static KafkaReceiver start(KafkaAddress from, Properties settings, Transport.Target target)
      throws IOException {
    Properties all = from.with(settings);
    all.put(ConsumerConfig.GROUP_ID_CONFIG, target.group());
    all.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false");
    all.putIfAbsent(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    KafkaConsumer<byte[], byte[]> consumer = null;
    try {
      consumer = new KafkaConsumer<>(all, new ByteArrayDeserializer(), new ByteArrayDeserializer());
      consumer.partitionsFor(from.topic(), PATIENCE);
      KafkaReceiver receiver = new KafkaReceiver(consumer, target);
      consumer.subscribe(List.of(from.topic()), receiver);
      receiver.thread.start();
      return receiver;
    } catch (KafkaException e) {
      close(consumer);
      throw new IOException(
          "Kafka cannot be reached: address=%s error=\"%s\"".formatted(from, KafkaLink.reason(e)),
          e);
    } catch (IOException | RuntimeException e) {
      close(consumer);
      throw e;
    }
  }

  private static void close(@Nullable KafkaConsumer<byte[], byte[]> consumer) {
    if (consumer != null) {
      consumer.close();
    }
  }

  private void run() {
    try (consumer;
        parcels) {
      while (closing.getCount() > 0) {
        try {
          goOn();
        } catch (WakeupException e) {
          // closing
        } catch (IOException | KafkaException e) {
          again(e);
        }
      }
      syncAtTheEnd();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException | RuntimeException e) {
      target.log().accept("not received any more: error=\"" + e.getMessage() + '"');
    }
  }

  private void syncAtTheEnd() throws IOException {
    try {
      syncAll();
    } catch (WakeupException e) {
      syncAll(); // it was to end the waiting for messages
    }
  }

  private void goOn() throws IOException {
    if (rewinding) {
      rewind();
      rewinding = false;
    }
    ConsumerRecords<byte[], byte[]> records = consumer.poll(POLL);
    for (ConsumerRecord<byte[], byte[]> each : records) {
      unsynced = true;
      take(each);
    }
    if (unsynced && (records.isEmpty() || System.nanoTime() - syncedAt >= SYNC_NANOS)) {
      syncAll();
    }
    if (inTrouble && !records.isEmpty()) {
      inTrouble = false;
      target.log().accept("receiving again");
    }
  }

  private void take(ConsumerRecord<byte[], byte[]> message) throws IOException {
    try {
      parcels.take(message.value() == null ? new byte[0] : message.value());
    } catch (ProtocolException | EOFException e) {
      target
          .log()
          .accept(
              "a message was left out: partition=%d offset=%d why=\"%s\""
                  .formatted(message.partition(), message.offset(), e.getMessage()));
    }
  }

  private void syncAll() throws IOException {
    if (unsynced) {
      parcels.sync();
      consumer.commitSync(PATIENCE);
      unsynced = false;
    }
    syncedAt = System.nanoTime();
  }

  /** The disk is full, say, or Kafka is away: takes again what is not known to be on disk. */
  private void again(Exception e) throws InterruptedException {
    if (!inTrouble) {
      inTrouble = true;
      target.log().accept("cannot receive, trying again: error=\"" + e.getMessage() + '"');
    }
    parcels.forget();
    unsynced = false;
    rewinding = true;
    boolean _ = closing.await(PAUSE_MILLIS, TimeUnit.MILLISECONDS);
  }

  private void rewind() {
    for (TopicPartition each : consumer.assignment()) {
      OffsetAndMetadata known = consumer.committed(Set.of(each), PATIENCE).get(each);
      if (known == null) {
        consumer.seekToBeginning(List.of(each));
      } else {
        consumer.seek(each, known.offset());
      }
    }
  }

  @Override
  public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
    // goes on where the group is
  }

  /** Another receiver of the group goes on there. */
  @Override
  public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
    try {
      syncAll();
    } catch (IOException e) {
      throw new KafkaException(e.getMessage(), e);
    }
  }

  @Override
  public void close() {
    closing.countDown();
    consumer.wakeup();
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
