package dev.kymo.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.format.KernelEventFormat;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Pages kept from a real kernel with its own text of them, pages made by hand, and nonsense. */
class PageDecoderTest {
  private static final PageLayout LAYOUT = new PageLayout(0, 8, 8, 16, 4080);
  private static final int EVENTS_OF_SAMPLE = 500;

  private static byte[] resource(String name) throws IOException {
    try (InputStream in =
        Objects.requireNonNull(PageDecoderTest.class.getResourceAsStream("sample/" + name))) {
      byte[] bytes = in.readAllBytes();
      if (!name.endsWith(".gz")) {
        return bytes;
      }
      return new GZIPInputStream(new ByteArrayInputStream(bytes)).readAllBytes();
    }
  }

  private static String text(String name) throws IOException {
    return SampleMaker.utf8(resource(name));
  }

  private static BufferedReader reader(String text) {
    return new BufferedReader(new StringReader(text));
  }

  private static TracedPages sample(int cpu, String usual, String fields) throws IOException {
    PageLayout layout = PageLayout.parse(text("header_page"));
    List<KernelEventFormat> formats = SampleMaker.formats(text("formats"));
    try (BufferedReader names = reader(text("symbols"))) {
      TracedPages pages =
          new TracedPages(layout, formats, Symbols.read(names), reader(usual), reader(fields));
      byte[] raw = resource("cpu" + cpu + ".pages.gz");
      for (int at = 0; at < raw.length; at += layout.pageSize()) {
        pages.page(Arrays.copyOfRange(raw, at, at + layout.pageSize()));
      }
      pages.end();
      return pages;
    }
  }

  @Test
  void sampleIsWhatTheKernelSays() throws IOException {
    Set<String> kinds = new TreeSet<>();
    long events = 0;
    for (int cpu = 0; cpu < 2; cpu++) {
      TracedPages pages =
          sample(cpu, text("cpu" + cpu + ".usual.gz"), text("cpu" + cpu + ".fields.gz"));
      assertThat(pages.differences).isEmpty();
      assertThat(pages.malformed).isZero();
      assertThat(pages.lost).isPositive();
      events += pages.events;
      kinds.addAll(pages.kinds.keySet());
    }
    assertThat(events).isGreaterThan(EVENTS_OF_SAMPLE);
    assertThat(kinds).hasSizeGreaterThanOrEqualTo(18);
  }

  @Test
  void comparisonSeesEveryChangedDigit() throws IOException {
    String usual = text("cpu0.usual.gz");
    String fields = text("cpu0.fields.gz");
    int at = usual.indexOf("pid=", usual.length() / 2) + "pid=".length();
    char other = usual.charAt(at) == '7' ? '8' : '7';
    String changed = usual.substring(0, at) + other + usual.substring(at + 1);
    assertThat(sample(0, changed, fields).differences).hasSize(1);
    assertThat(
            sample(0, usual, fields.replaceFirst("prio=0x78 \\(120\\)", "prio=0x78 (121)"))
                .differences)
        .hasSize(1);
  }

  /** A page of words behind the header. */
  private static byte[] page(long clock, long commit, int... words) {
    ByteBuffer page = ByteBuffer.allocate(LAYOUT.pageSize()).order(ByteOrder.LITTLE_ENDIAN);
    page.putLong(clock).putLong(commit);
    for (int word : words) {
      page.putInt(word);
    }
    return page.array();
  }

  private static List<String> events(PageDecoder decoder, byte[] page) {
    List<String> events = new ArrayList<>();
    decoder.begin(page);
    while (decoder.next()) {
      events.add("%d: %d+%d".formatted(decoder.clock(), decoder.offset(), decoder.size()));
    }
    return events;
  }

  @Test
  void allKindsOfEntries() {
    PageDecoder decoder = new PageDecoder(LAYOUT);
    byte[] page =
        page(
            1000,
            17 * 4,
            5 << 5 | 2,
            0,
            0, // 8 bytes
            29 | 7 << 5,
            4, // discarded: its delta does not count
            1 << 5,
            12,
            0,
            0, // length in the next word
            30 | 3 << 5,
            1, // extend by 2^27 + 3
            1,
            0, // 4 bytes
            31 | 9 << 5,
            2, // absolute 2^28 + 9
            1 << 5 | 1,
            0);
    assertThat(events(decoder, page))
        .containsExactly("1005: 20+8", "1006: 44+8", "134218737: 64+4", "268435466: 80+4");
    assertThat(decoder.malformed()).isFalse();
    assertThat(decoder.lost()).isZero();
  }

  @Test
  void emptyRestOfPage() {
    PageDecoder decoder = new PageDecoder(LAYOUT);
    assertThat(events(decoder, page(1, 4080, 1, 0, 29, 99, 99))).containsExactly("1: 20+4");
    assertThat(decoder.malformed()).isFalse();
  }

  @Test
  void absoluteClockKeepsItsUpperBits() {
    PageDecoder decoder = new PageDecoder(LAYOUT);
    long high = 1L << 59;
    assertThat(events(decoder, page(high + 7, 16, 31 | 9 << 5, 0, 1, 0)))
        .containsExactly(high + 9 + ": 28+4");
    assertThat(events(decoder, page(high + 70, 16, 31 | 9 << 5, 0, 1, 0)))
        .containsExactly(2 * high + 9 + ": 28+4");
  }

  @Test
  void lostEvents() {
    PageDecoder decoder = new PageDecoder(LAYOUT);
    decoder.begin(page(1, 0xFFFF_FFFF_C000_0008L, 1, 0, 77, 0));
    assertThat(decoder.lost()).isEqualTo(77);
    assertThat(decoder.next()).isTrue();
    assertThat(decoder.next()).isFalse();
    decoder.begin(page(1, 0xFFFF_FFFF_8000_0008L, 1, 0, 77, 0));
    assertThat(decoder.lost()).isEqualTo(PageDecoder.UNKNOWN);
    decoder.begin(page(1, 8, 1, 0));
    assertThat(decoder.lost()).isZero();
  }

  @Test
  void nonsenseEndsThePage() {
    PageDecoder decoder = new PageDecoder(LAYOUT);
    assertMalformed(decoder, page(1, 4081), 0);
    assertMalformed(decoder, page(1, 8, 2, 0), 0); // data beyond the page
    assertMalformed(decoder, page(1, 12, 1, 0, 2), 1);
    assertMalformed(decoder, page(1, 8, 0, 3), 0); // length below its own
    assertMalformed(decoder, page(1, 8, 0, -1), 0);
    assertMalformed(decoder, page(1, 8, 0, Integer.MAX_VALUE), 0);
    assertMalformed(decoder, page(1, 4, 30), 0);
    assertMalformed(decoder, page(1, 10, 1, 0, 0), 1); // half a word
    assertMalformed(decoder, page(1, 8, 29 | 1 << 5, Integer.MAX_VALUE - 8), 0);
    assertMalformed(decoder, new byte[0], 0);
    assertMalformed(decoder, Arrays.copyOf(page(1, 4080, 1, 0), 40), 0);
  }

  private static void assertMalformed(PageDecoder decoder, byte[] page, int before) {
    assertThat(events(decoder, page)).hasSize(before);
    assertThat(decoder.malformed()).isTrue();
  }

  @Test
  void damagedPagesStayWithinBounds() throws IOException {
    long seed = Long.getLong("kymo.seed", System.nanoTime());
    System.out.println("PageDecoderTest seed=" + seed);
    SplittableRandom random = new SplittableRandom(seed);
    byte[] raw = resource("cpu0.pages.gz");
    PageDecoder decoder = new PageDecoder(LAYOUT);
    for (int i = 0; i < 20_000; i++) {
      byte[] page;
      if (i % 4 == 0) {
        page = new byte[random.nextInt(LAYOUT.pageSize() + 1)];
        random.nextBytes(page);
      } else {
        int at = random.nextInt(raw.length / LAYOUT.pageSize()) * LAYOUT.pageSize();
        page = Arrays.copyOfRange(raw, at, at + LAYOUT.pageSize());
        for (int damage = random.nextInt(8); damage >= 0; damage--) {
          page[random.nextInt(page.length)] = (byte) random.nextInt();
        }
        page = i % 4 == 1 ? Arrays.copyOf(page, random.nextInt(page.length)) : page;
      }
      decoder.begin(page);
      int events = 0;
      while (decoder.next()) {
        assertThat(decoder.offset()).isBetween(LAYOUT.data(), page.length);
        assertThat(decoder.size()).isBetween(0, page.length - decoder.offset());
        events++;
      }
      assertThat(events).isLessThan(LAYOUT.dataSize() / 4);
    }
  }

  /** Kernels for ARM64 have pages of 4, 16 or 64 KB. */
  @ParameterizedTest
  @ValueSource(ints = {4096, 16384, 65536})
  void pagesOfAnySize(int pageSize) throws IOException {
    String text = text("header_page").replace("size:4080", "size:" + (pageSize - 16));
    PageLayout layout = PageLayout.parse(text);
    assertThat(layout.pageSize()).isEqualTo(pageSize);
    ByteBuffer page = ByteBuffer.allocate(pageSize).order(ByteOrder.LITTLE_ENDIAN);
    List<String> expected = new ArrayList<>();
    page.position(16);
    for (int i = 1; page.remaining() >= 8 + 200; i++) {
      boolean counted = i % 3 == 0; // with its length in the next word
      int size = counted ? 120 + i % 20 * 4 : 4 + i % 28 * 4;
      page.putInt(counted ? 1 << 5 : 1 << 5 | size / 4);
      if (counted) {
        page.putInt(size + 4);
      }
      expected.add("%d: %d+%d".formatted(1000 + i, page.position(), size));
      page.position(page.position() + size);
    }
    page.putLong(0, 1000).putLong(8, page.position() - 16);
    PageDecoder decoder = new PageDecoder(layout);
    assertThat(events(decoder, page.array())).isEqualTo(expected);
    assertThat(expected).hasSizeGreaterThan(pageSize / 160);
    assertThat(decoder.malformed()).isFalse();
    page.putLong(8, pageSize); // more than fits
    assertThat(events(decoder, page.array())).isEmpty();
    assertThat(decoder.malformed()).isTrue();
  }

  /** So queues take no more memory where pages are large. */
  @ParameterizedTest
  @CsvSource({"4096, 2, 2048", "16384, 2, 512", "65536, 2, 128", "65536, 128, 32", "4096, 8, 512"})
  void asManyBytesAtOnce(int pageSize, int cpus, int pages) {
    assertThat(KernelCapture.pagesPerRound(pageSize, cpus)).isEqualTo(pages);
  }

  @Test
  void layout() throws IOException {
    assertThat(PageLayout.parse(text("header_page"))).isEqualTo(LAYOUT);
  }
}
