package dev.kymo.kafka;

import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.clients.CommonClientConfigs;

/**
 * A topic, {@code kafka://HOST:PORT,HOST:PORT/TOPIC}.
 *
 * @param brokers some of them; they name the others
 */
record KafkaAddress(String brokers, String topic) {
  private static final Pattern FORM =
      Pattern.compile("kafka://([^/\\s]+:\\d{1,5})/([A-Za-z0-9._-]{1,249})");

  /** Longest time that a broker may be silent for when something is asked of it. */
  private static final String REQUEST_MILLIS = "10000";

  static KafkaAddress parse(String text) {
    Matcher matcher = FORM.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "not a topic of Kafka: address="
              + text
              + "; expected kafka://HOST:PORT[,HOST:PORT]/TOPIC");
    }
    return new KafkaAddress(matcher.group(1), matcher.group(2));
  }

  /** The user's settings with this address. */
  Properties with(Properties settings) {
    Properties all = new Properties();
    all.put(CommonClientConfigs.REQUEST_TIMEOUT_MS_CONFIG, REQUEST_MILLIS);
    all.putAll(settings);
    all.put(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, brokers);
    return all;
  }

  @Override
  public String toString() {
    return "kafka://" + brokers + "/" + topic;
  }
}
