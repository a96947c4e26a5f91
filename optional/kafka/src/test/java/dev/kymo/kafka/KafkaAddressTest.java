package dev.kymo.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Properties;
import org.junit.jupiter.api.Test;

class KafkaAddressTest {
  @Test
  void addresses() {
    assertThat(KafkaAddress.parse("kafka://a:9092/t"))
        .isEqualTo(new KafkaAddress("a:9092", "t"))
        .hasToString("kafka://a:9092/t");
    assertThat(KafkaAddress.parse("kafka://a:1,b.c:2/t-1_x.y"))
        .isEqualTo(new KafkaAddress("a:1,b.c:2", "t-1_x.y"));
    for (String wrong :
        List.of("kafka://a/t", "kafka://a:1", "kafka://a:1/", "kafka://a:1/t/u", "tcp://a:1/t")) {
      assertThatThrownBy(() -> KafkaAddress.parse(wrong))
          .hasMessage(
              "not a topic of Kafka: address="
                  + wrong
                  + "; expected kafka://HOST:PORT[,HOST:PORT]/TOPIC");
    }
  }

  @Test
  void theAddressTakesPrecedenceOverSettings() {
    Properties settings = new Properties();
    settings.put("bootstrap.servers", "other:1");
    settings.put("request.timeout.ms", "77");
    assertThat(KafkaAddress.parse("kafka://a:9092/t").with(settings))
        .containsEntry("bootstrap.servers", "a:9092")
        .containsEntry("request.timeout.ms", "77");
  }
}
