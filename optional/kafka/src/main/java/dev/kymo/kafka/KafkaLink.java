package dev.kymo.kafka;

import dev.kymo.network.send.Link;
import dev.kymo.network.send.Parcels;
import dev.kymo.network.send.RefusedException;
import dev.kymo.network.wire.FrameWriter;
import dev.kymo.network.wire.Hello;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Properties;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;

/**
 * Sends a recording's frames to a topic. All of them have the recording's identity as their key, so
 * they are in one partition, in their order. A mark is acknowledged when all copies of the
 * partition have what is before it.
 */
final class KafkaLink implements Link, Parcels.Taker {
  private static final int BUFFER = 8 << 20;

  private final KafkaProducer<String, byte[]> producer;
  private final String topic;
  private final String key;
  private final FrameWriter out;
  private final Queue<Mark> marks = new ArrayDeque<>();
  private long sent;
  private long stored;
  private long doneAfter = Long.MAX_VALUE;
  private long acknowledged;
  private long answers;
  private @Nullable IOException failure;

  /** A mark after so many parcels. */
  private record Mark(long number, long after) {}

  private KafkaLink(KafkaProducer<String, byte[]> producer, String topic, Hello hello)
      throws IOException {
    this.producer = producer;
    this.topic = topic;
    this.key = hello.recording().toString();
    Hello conversation =
        new Hello(UUID.randomUUID().toString(), hello.recording(), hello.session(), hello.name());
    Parcels parcels = new Parcels(conversation, this);
    this.out = new FrameWriter(parcels);
    greet(parcels.greeting());
  }

  static KafkaLink open(KafkaAddress to, Properties settings, Hello hello) throws IOException {
    Properties all = new Properties();
    all.put(ProducerConfig.BUFFER_MEMORY_CONFIG, Integer.toString(BUFFER));
    all.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, "10000");
    all.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, "30000");
    all.putAll(to.with(settings));
    all.put(ProducerConfig.ACKS_CONFIG, "all");
    all.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, "true");
    KafkaProducer<String, byte[]> producer;
    try {
      producer = new KafkaProducer<>(all, new StringSerializer(), new ByteArraySerializer());
    } catch (KafkaException e) {
      throw new IOException(reason(e), e); // a name that is not known, perhaps not yet
    }
    try {
      producer.partitionsFor(to.topic());
      return new KafkaLink(producer, to.topic(), hello);
    } catch (KafkaException e) {
      producer.close(Duration.ZERO);
      throw new IOException(reason(e), e);
    } catch (IOException | RuntimeException e) {
      producer.close(Duration.ZERO);
      throw e;
    }
  }

  /** What has led to a failure says more than the failure. */
  static String reason(KafkaException e) {
    return e.getCause() instanceof KafkaException cause
        ? cause.getMessage() + " (" + e.getMessage() + ")"
        : String.valueOf(e.getMessage());
  }

  /** Waits until it is stored: only then may anything else be sent. */
  private void greet(byte[] greeting) throws IOException {
    try {
      producer.send(new ProducerRecord<>(topic, key, greeting)).get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof Exception cause ? failed(cause) : new IOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  @Override
  public FrameWriter out() {
    return out;
  }

  @Override
  public void parcel(byte[] frames) throws IOException {
    synchronized (this) {
      if (failure != null) {
        throw failure;
      }
      sent++;
    }
    try {
      Future<?> _ =
          producer.send(
              new ProducerRecord<>(topic, key, frames),
              (_, e) -> answered(e == null ? null : failed(e)));
    } catch (KafkaException | IllegalStateException e) {
      throw failed(e);
    }
  }

  private static IOException failed(Exception e) {
    String why = String.valueOf(e.getMessage());
    return e instanceof RecordTooLargeException
        ? new RefusedException(why, true)
        : new IOException(why, e);
  }

  /** Answers come in the order of the parcels. */
  private synchronized void answered(@Nullable IOException failed) {
    answers++;
    if (failed == null && failure == null) {
      stored++;
      acknowledge();
    } else if (failure == null) {
      failure = failed;
    }
    notifyAll();
  }

  private void acknowledge() {
    for (Mark mark = marks.peek(); mark != null && mark.after <= stored; mark = marks.peek()) {
      acknowledged = mark.number;
      marks.remove();
    }
  }

  @Override
  public synchronized void mark(long number) {
    marks.add(new Mark(number, sent));
    acknowledge();
  }

  @Override
  public synchronized void done() {
    doneAfter = sent;
  }

  @Override
  public synchronized long acknowledged() {
    return acknowledged;
  }

  @Override
  public synchronized boolean isDone() {
    return stored >= doneAfter;
  }

  @Override
  public synchronized void await(long millis) throws IOException, InterruptedException {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    long before = answers;
    long left = millis;
    while (failure == null && answers == before && left > 0 && stored < doneAfter) {
      wait(left);
      left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
    }
    if (failure != null) {
      throw failure;
    }
  }

  @Override
  public void close() {
    producer.close(Duration.ZERO);
  }
}
