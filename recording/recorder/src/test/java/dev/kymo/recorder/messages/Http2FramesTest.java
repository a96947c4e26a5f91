package dev.kymo.recorder.messages;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersEncoder;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersEncoder;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests and answers are found in what Netty makes of headers, in any pieces. */
class Http2FramesTest {
  private static final byte[] PREFACE =
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1);
  private static final byte[] SETTINGS = {0, 0, 6, 4, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 100};
  private static final int DATA = 0;
  private static final int HEADERS = 1;
  private static final int PROMISE = 5;
  private static final int CONTINUATION = 9;
  private static final int END_HEADERS = 4;
  private static final int PADDED = 8;
  private static final int PRIORITIZED = 0x20;

  private final ByteArrayOutputStream sent = new ByteArrayOutputStream();
  private final Http2HeadersEncoder encoder =
      new DefaultHttp2HeadersEncoder(Http2HeadersEncoder.NEVER_SENSITIVE);
  private final List<String> expected = new ArrayList<>();

  private void frame(int type, int flags, int id, byte[] content) {
    byte[] head = {
      (byte) (content.length >> 16),
      (byte) (content.length >> 8),
      (byte) content.length,
      (byte) type,
      (byte) flags,
      (byte) (id >> 24),
      (byte) (id >> 16),
      (byte) (id >> 8),
      (byte) id
    };
    sent.writeBytes(head);
    sent.writeBytes(content);
  }

  private byte[] encoded(int id, Http2Headers headers) throws Exception {
    ByteBuf block = Unpooled.buffer();
    encoder.encodeHeaders(id, headers, block);
    byte[] bytes = new byte[block.readableBytes()];
    block.readBytes(bytes);
    return bytes;
  }

  private static byte[] part(byte[] bytes, int from, int to) {
    return java.util.Arrays.copyOfRange(bytes, from, to);
  }

  /** Sends a block in one frame or several, with what else a frame may have. */
  private void send(int id, byte[] block, SplittableRandom random) {
    int cut = random.nextInt(3) == 0 ? random.nextInt(block.length + 1) : block.length;
    boolean isPadded = random.nextInt(4) == 0;
    boolean isPrioritized = random.nextInt(4) == 0;
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    int padding = isPadded ? random.nextInt(256) : 0;
    if (isPadded) {
      content.write(padding);
    }
    if (isPrioritized) {
      content.writeBytes(new byte[] {0, 0, 0, 3, 15});
    }
    content.writeBytes(part(block, 0, cut));
    content.writeBytes(new byte[padding]);
    boolean isWhole = cut == block.length;
    int flags =
        (isWhole ? END_HEADERS : 0) | (isPadded ? PADDED : 0) | (isPrioritized ? PRIORITIZED : 0);
    frame(HEADERS, flags, id, content.toByteArray());
    if (!isWhole) {
      int second = cut + random.nextInt(block.length - cut + 1);
      frame(CONTINUATION, 0, id, part(block, cut, second));
      frame(CONTINUATION, END_HEADERS, id, part(block, second, block.length));
    }
  }

  private static String text(SplittableRandom random, int most) {
    StringBuilder text = new StringBuilder();
    int length = random.nextInt(most);
    for (int i = 0; i < length; i++) {
      text.append((char) ('!' + random.nextInt('~' - '!' + 1)));
    }
    return text.toString();
  }

  private static void addOthers(Http2Headers headers, SplittableRandom random) {
    for (int i = random.nextInt(8); i > 0; i--) {
      headers.add("x-" + random.nextInt(40), text(random, random.nextInt(10) == 0 ? 900 : 40));
    }
    if (random.nextBoolean()) {
      headers.add("user-agent", "test").add("content-type", text(random, 20));
    }
  }

  private void request(int id, SplittableRandom random) throws Exception {
    String[] methods = {"GET", "POST", "DELETE", "QUERY"};
    String method = methods[random.nextInt(methods.length)];
    String path = random.nextInt(3) == 0 ? "/" : "/" + text(random, 60).replaceAll("[?#].*", "");
    Http2Headers headers =
        new DefaultHttp2Headers().method(method).scheme("https").path(path + "?q=" + id);
    addOthers(headers, random);
    send(id, encoded(id, headers), random);
    expected.add(id + " " + method + " " + path);
  }

  private void answer(int id, SplittableRandom random) throws Exception {
    int[] statuses = {200, 204, 304, 404, 418, 503, 103};
    int status = statuses[random.nextInt(statuses.length)];
    Http2Headers headers = new DefaultHttp2Headers().status("" + status);
    addOthers(headers, random);
    send(id, encoded(id, headers), random);
    expected.add(id + " " + status);
  }

  private static String words(Http2Frames.Found found) {
    HttpLine line = found.line;
    if (line.status() != 0) {
      return found.id + " " + line.status();
    }
    byte[] path = new byte[line.pathRoom()];
    int length = line.putPath(path, 0);
    return found.id
        + " "
        + new String(line.bytes(), 0, line.method(), StandardCharsets.US_ASCII)
        + " "
        + new String(path, 0, length, StandardCharsets.US_ASCII);
  }

  /** All that is found in the bytes that were sent, which come in pieces. */
  private List<String> found(SplittableRandom random) {
    byte[] bytes = sent.toByteArray();
    Http2Frames frames = Objects.requireNonNull(Http2Frames.of(bytes, true));
    List<String> found = new ArrayList<>();
    int at = 0;
    while (at < bytes.length) {
      int most = random.nextInt(5) == 0 ? 5000 : 40;
      int length = Math.min(bytes.length - at, 1 + random.nextInt(most));
      frames.next(new Content.OfArray(bytes, at), length).forEach(each -> found.add(words(each)));
      at += length;
    }
    return found;
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void requestsAreFound(long seed) throws Exception {
    SplittableRandom random = new SplittableRandom(seed);
    sent.writeBytes(PREFACE);
    sent.writeBytes(SETTINGS);
    for (int i = 0; i < 200; i++) {
      request(2 * i + 1, random);
      if (random.nextBoolean()) {
        frame(DATA, 0, 2 * i + 1, new byte[random.nextInt(3000)]);
      }
      if (i == 100) { // as when the other end asks for it
        encoder.configuration().maxHeaderTableSize(random.nextInt(9000));
      }
      if (random.nextInt(10) == 0) { // headers behind the content
        byte[] block = encoded(2 * i + 1, new DefaultHttp2Headers().add("x-sum", "" + i));
        send(2 * i + 1, block, random);
      }
    }
    assertThat(found(random)).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void answersAreFound(long seed) throws Exception {
    SplittableRandom random = new SplittableRandom(seed);
    sent.writeBytes(SETTINGS);
    for (int i = 0; i < 200; i++) {
      answer(2 * i + 1, random);
      frame(DATA, 0, 2 * i + 1, new byte[random.nextInt(300)]);
      if (random.nextInt(10) == 0) { // of the server's own accord; no answer
        byte[] block = encoded(1, new DefaultHttp2Headers().method("GET").path("/pushed"));
        byte[] content = new byte[4 + block.length];
        System.arraycopy(block, 0, content, 4, block.length);
        frame(PROMISE, END_HEADERS, 2 * i + 1, content);
      }
    }
    assertThat(found(random)).isEqualTo(expected);
  }

  @Test
  void allBytesCanBeInAText() throws Exception {
    StringBuilder all = new StringBuilder("/");
    for (char c = 0; c < 256; c++) {
      all.append(c);
    }
    sent.writeBytes(PREFACE);
    Http2Headers headers = new DefaultHttp2Headers(false).method("GET").path(all);
    byte[] block = encoded(1, headers);
    Headers read = new Headers();
    assertThat(read.read(block, block.length)).isTrue();
    assertThat(read.path()).isEqualTo(all.toString().getBytes(StandardCharsets.ISO_8859_1));
  }

  /** Whatever comes, it ends. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void damagedBytesAreNoTrouble(long seed) throws Exception {
    SplittableRandom random = new SplittableRandom(seed);
    sent.writeBytes(PREFACE);
    for (int i = 0; i < 20; i++) {
      request(2 * i + 1, random);
    }
    byte[] whole = sent.toByteArray();
    for (int run = 0; run < 2000; run++) {
      byte[] damaged = whole.clone();
      for (int i = 0; i < 5; i++) {
        damaged[PREFACE.length + random.nextInt(whole.length - PREFACE.length)] =
            (byte) random.nextInt(256);
      }
      Http2Frames frames = Objects.requireNonNull(Http2Frames.of(damaged, true));
      assertThat(frames.next(new Content.OfArray(damaged, 0), damaged.length).size())
          .isLessThanOrEqualTo(2000);
    }
  }

  @Test
  void whatIsNotSeenMayBeContentOnly() throws Exception {
    sent.writeBytes(PREFACE);
    byte[] first = encoded(1, new DefaultHttp2Headers().method("GET").path("/first"));
    frame(HEADERS, END_HEADERS, 1, first);
    frame(DATA, 0, 1, new byte[100]);
    int seen = sent.size() - 100;
    byte[] second = encoded(3, new DefaultHttp2Headers().method("GET").path("/second"));
    frame(HEADERS, END_HEADERS, 3, second);
    byte[] bytes = sent.toByteArray();
    Http2Frames frames = Objects.requireNonNull(Http2Frames.of(bytes, true));
    assertThat(frames.next(new Content.OfArray(bytes, 0), seen)).hasSize(1);
    frames.unseen(100); // a file
    Content rest = new Content.OfArray(bytes, seen + 100);
    assertThat(frames.next(rest, bytes.length - seen - 100)).hasSize(1);
    frames.unseen(1);
    assertThat(frames.next(rest, bytes.length - seen - 100)).isEmpty();
  }

  @Test
  void otherBytesAreNone() {
    assertThat(
            Http2Frames.of(
                "PRI * HTTP/2.0\r\n\r\nSM\r\n\r".getBytes(StandardCharsets.US_ASCII), true))
        .isNull();
    assertThat(Http2Frames.of(SETTINGS, false)).isNull();
    byte[] other = SETTINGS.clone();
    other[2] = 7;
    assertThat(Http2Frames.of(other, true)).isNull();
  }
}
