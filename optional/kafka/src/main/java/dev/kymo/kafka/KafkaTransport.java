package dev.kymo.kafka;

import dev.kymo.network.send.Link;
import dev.kymo.network.send.Route;
import dev.kymo.network.transport.Transport;
import dev.kymo.network.wire.Hello;
import java.io.IOException;
import java.util.Properties;
import java.util.function.LongSupplier;

/** A topic of Kafka in the place of a receiver. */
public final class KafkaTransport implements Transport {
  @Override
  public String name() {
    return "kafka";
  }

  @Override
  public Route route(String address, Properties settings) {
    KafkaAddress topic = KafkaAddress.parse(address);
    return new Route() {
      @Override
      public String address() {
        return topic.toString();
      }

      @Override
      public Link open(Hello hello, LongSupplier clock) throws IOException {
        return KafkaLink.open(topic, settings, hello);
      }
    };
  }

  @Override
  public Receiving receive(String address, Properties settings, Target target) throws IOException {
    return KafkaReceiver.start(KafkaAddress.parse(address), settings, target);
  }
}
