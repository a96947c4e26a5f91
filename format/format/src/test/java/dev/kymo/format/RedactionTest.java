package dev.kymo.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RedactionTest {
  private static final Redaction USUAL = Redaction.USUAL;

  /** Words stand between bars. */
  private static String of(Redaction redaction, String words) {
    return redaction.of(words.replace('|', Redaction.BETWEEN)).replace(' ', '_');
  }

  @ParameterizedTest
  @CsvSource({
    "java|-Ddb.password=hunter2|App, java_-Ddb.password=***_App",
    "java|-Ddb.password=two words|App, java_-Ddb.password=***_App",
    "java|-Djavax.net.ssl.keyStorePassword=x=y|App, java_-Djavax.net.ssl.keyStorePassword=***_App",
    "app|--api-key=abc|--verbose, app_--api-key=***_--verbose",
    "app|--api-key|abc def|--verbose, app_--api-key_***_--verbose",
    "app|--token|--verbose, app_--token_--verbose",
    "app|--password, app_--password",
    "app|DB_PASS=x, app_DB_PASS=***",
    "app|AWS_SECRET_ACCESS_KEY=x, app_AWS_SECRET_ACCESS_KEY=***",
    "curl|-H|Authorization: Bearer abc|http://a/, curl_-H_Authorization:_***_http://a/",
    "app|jdbc:mysql://h/db?user=u&password=x&ssl=1, app_jdbc:mysql://h/db?user=u&password=***",
    "app|redis://:x@h:1/0|https://u:p@h/, app_redis://:***@h:1/0_https://u:***@h/",
    "'app|{\"clientSecret\": \"x\"}', 'app_{\"clientSecret\":_***'",
    "app|accessToken:x, app_accessToken:***"
  })
  void secretsAreLeftOut(String words, String expected) {
    assertThat(of(USUAL, words)).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "java|-cp|/a/password-tool.jar:/b/token.jar|App|run",
        "java|-Xmx1g|-Dfile.encoding=UTF-8|-jar|shop.jar|--port=80",
        "app|--tokenizer=words|--compass=north|--bypass=1",
        "app|https://host:8080/path?x=1|user@host",
        "app|passwords are long"
      })
  void othersStay(String words) {
    assertThat(of(USUAL, words)).isEqualTo(words.replace('|', '_').replace(' ', '_'));
  }

  @Test
  void withoutTheirSignWordsAreDividedByBlanks() {
    assertThat(USUAL.of("java -Ddb.password=hunter2 App")).isEqualTo("java -Ddb.password=*** App");
  }

  @Test
  void propertiesAndVariablesHaveNames() {
    assertThat(USUAL.value("db.password", "hunter2")).isEqualTo("***");
    assertThat(USUAL.value("AWS_SECRET_ACCESS_KEY", "x y")).isEqualTo("***");
    assertThat(USUAL.value("db.password", "")).isEmpty();
    assertThat(USUAL.value("sun.java.command", "App --token=x -v")).isEqualTo("App --token=*** -v");
    assertThat(USUAL.value("user.dir", "/home/a b")).isEqualTo("/home/a b");
    assertThat(Redaction.NONE.value("db.password", "hunter2")).isEqualTo("hunter2");
  }

  @Test
  void namesOfOnesOwn() {
    assertThat(of(Redaction.of(List.of("pin", "^-k")), "app|--pin=7|-k|x|--port=1"))
        .isEqualTo("app_--pin=***_-k_x_--port=1");
    assertThatThrownBy(() -> Redaction.of(List.of("(")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("'(' is not a regular expression");
    assertThat(of(Redaction.NONE, "app|--password=x")).isEqualTo("app_--password=x");
  }

  @Test
  void definitionsOfProcessesHaveCommandLines() {
    String command = "java|-Ddb.password=hunter2|App".replace('|', Redaction.BETWEEN);
    List<Definition> all = new ArrayList<>();
    all.add(new Definition.TracedThread(1, 0, 1, 7, "--password=x"));
    all.add(new Definition.TracedProcess(1, 7, 1, command, "VM"));
    all.add(new Definition.TracedThread(2, 0, 2, 8, "other"));
    all.add(new Definition.TracedProcess(2, 8, 7, command + command, "VM"));
    ByteBuffer records = ByteBuffer.allocate(10_000).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < all.size(); i++) {
      DefinitionCodec.put(records, 100 + i, all.get(i));
    }
    ByteBuffer left = USUAL.redacted(records.flip());
    List<String> read = new ArrayList<>();
    while (left.hasRemaining()) {
      int at = left.position();
      left.position(at + DefinitionCodec.HEADER_SIZE);
      Definition definition = DefinitionCodec.get(left, left.getInt(at + 1));
      read.add(
          left.getLong(at + 5)
              + " "
              + (definition instanceof Definition.TracedProcess d
                  ? d.pid() + " " + d.command() + " " + d.jvm()
                  : ((Definition.TracedThread) definition).name()));
    }
    assertThat(read)
        .containsExactly(
            "100 --password=x",
            "101 7 java -Ddb.password=*** App VM",
            "102 other",
            "103 8 java -Ddb.password=*** Appjava -Ddb.password=*** App VM");
  }

  /** As a stray pointer of the program leaves them: taken as they are, once. */
  @Test
  void whatIsDamagedStaysAsItIs() {
    ByteBuffer records = ByteBuffer.allocate(10_000).order(ByteOrder.LITTLE_ENDIAN);
    DefinitionCodec.put(records, 100, new Definition.TracedThread(1, 0, 1, 7, "main"));
    DefinitionCodec.put(records, 101, new Definition.TracedProcess(1, 7, 1, "App", "VM"));
    records.flip().limit(records.limit() - 2); // the last text has no end
    assertThat(USUAL.redacted(records)).isEqualTo(records);
  }
}
