package dev.kymo.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.format.ControlLayout;
import dev.kymo.format.CountersLayout;
import dev.kymo.format.Definition;
import dev.kymo.format.DefinitionCodec;
import dev.kymo.format.EventKind;
import dev.kymo.format.InstructionLayout;
import dev.kymo.format.MailboxLayout;
import dev.kymo.format.OfferLayout;
import dev.kymo.format.PacketLayout;
import dev.kymo.format.RingLayout;
import dev.kymo.format.SchedulerState;
import dev.kymo.format.StreamClass;
import dev.kymo.format.ThreadRecord;
import dev.kymo.format.WaitKind;
import dev.kymo.testkit.SourceTree;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** C and TypeScript have the same words and numbers as the enums and layouts of the format. */
class VocabularyTest {
  private static final Pattern NUMBER = Pattern.compile("\\b([A-Z][A-Z0-9_]+) = (\\d+)\\s*[,}\\n]");
  private static final Pattern MAGIC =
      Pattern.compile("#define (\\w+)_MAGIC_VALUE UINT(?:32|64)_C\\(0x([0-9A-F]+)\\)");

  /** What a prefix in layout.h stands for; longer ones first. */
  private static final Map<String, Class<?>> PREFIXES = new LinkedHashMap<>();

  static {
    PREFIXES.put("WHEN_FULL_", RingLayout.class);
    PREFIXES.put("DEFINITION_", DefinitionCodec.class);
    PREFIXES.put("COMPACT_", ThreadRecord.class);
    PREFIXES.put("EXTENDED_", ThreadRecord.class);
    PREFIXES.put("COUNTERS_", CountersLayout.class);
    PREFIXES.put("COUNTER_", CountersLayout.class);
    PREFIXES.put("CONTROL_", ControlLayout.class);
    PREFIXES.put("MAILBOX_", MailboxLayout.class);
    PREFIXES.put("PACKET_", PacketLayout.class);
    PREFIXES.put("RECORD_", ThreadRecord.class);
    PREFIXES.put("STREAM_", StreamClass.class);
    PREFIXES.put("THREAD_", Definition.TracedThread.class);
    PREFIXES.put("STATE_", ControlLayout.class);
    PREFIXES.put("OFFER_", OfferLayout.class);
    PREFIXES.put("RING_", RingLayout.class);
    PREFIXES.put("MODE_", Definition.MethodMode.class);
  }

  /** What has another name in Java, or is C's own affair. */
  private static final Map<String, String> OTHER_NAMES =
      Map.of("RING_NUMBER", "RING_OFFSET", "COUNTER_SIZE", "BLOCK_SIZE");

  private static final Set<String> ONLY_IN_C = Set.of("COMPACT_CLOCK_SHIFT");

  @Test
  void cHasTheLayoutsOfJava() throws Exception {
    String header = read("recording/native/src/base/layout.h");
    Map<String, Long> c = new TreeMap<>();
    Map<String, Long> java = new TreeMap<>();
    for (Matcher m = NUMBER.matcher(header); m.find(); ) {
      if (!ONLY_IN_C.contains(m.group(1))) {
        c.put(m.group(1), Long.parseLong(m.group(2)));
        java.put(m.group(1), constant(m.group(1)));
      }
    }
    for (Matcher m = MAGIC.matcher(header); m.find(); ) {
      String name = m.group(1) + "_MAGIC";
      c.put(name, Long.parseUnsignedLong(m.group(2), 16));
      Class<?> layout = Objects.requireNonNull(PREFIXES.get(m.group(1) + '_'), name);
      long value = ((Number) layout.getField("MAGIC").get(null)).longValue();
      java.put(name, layout == PacketLayout.class ? value & 0xFFFFFFFFL : value);
    }
    assertThat(c).hasSizeGreaterThan(80).isEqualTo(java);
  }

  @Test
  void cHasTheLayoutOfInstructions() throws Exception {
    String header = read("recording/native/instructions/layout.h");
    Map<String, Long> c = new TreeMap<>();
    Map<String, Long> java = new TreeMap<>();
    for (Matcher m = NUMBER.matcher(header); m.find(); ) {
      c.put(m.group(1), Long.parseLong(m.group(2)));
    }
    Matcher magic = Pattern.compile("#define (\\w+_MAGIC) UINT32_C\\(0x(\\w+)\\)").matcher(header);
    while (magic.find()) {
      c.put(magic.group(1), Long.parseLong(magic.group(2), 16));
    }
    for (String name : c.keySet()) {
      java.put(name, ((Number) InstructionLayout.class.getField(name).get(null)).longValue());
    }
    assertThat(c).hasSizeGreaterThan(15).isEqualTo(java);
  }

  private static long constant(String name) throws IllegalAccessException {
    for (Map.Entry<String, Class<?>> prefix : PREFIXES.entrySet()) {
      if (name.startsWith(prefix.getKey())) {
        String rest = OTHER_NAMES.getOrDefault(name, name.substring(prefix.getKey().length()));
        for (String candidate : List.of(rest + "_OFFSET", name + "_OFFSET", rest, name)) {
          for (var field : prefix.getValue().getFields()) {
            if (field.getName().equals(candidate)) {
              return ((Number) field.get(null)).longValue();
            }
          }
        }
      }
    }
    throw new AssertionError("no constant in Java: name=" + name);
  }

  @Test
  void cHasTheWaitKindsOfJava() throws IOException {
    List<String> words = cWords("WAIT_KINDS");
    assertThat(words).isNotEmpty().isSubsetOf(words(WaitKind.values()));
  }

  @Test
  void cHasTheEventKindsOfJava() throws IOException {
    assertThat(cWords("EVENT_KINDS")).isEqualTo(EventKind.words());
    String api = read("recording/native/src/kymo.h");
    for (EventKind kind : EventKind.values()) {
      assertThat(api).contains("KYMO_" + kind.name() + " = " + kind.number());
    }
  }

  @Test
  void viewerHasTheWordsOfJava() throws IOException {
    List<String> waits = new ArrayList<>();
    for (String list : List.of("WAIT_KINDS", "RECORDER_WAIT_KINDS", "NATIVE_WAIT_KINDS")) {
      waits.addAll(viewerWords(list));
    }
    assertThat(waits).containsExactlyInAnyOrderElementsOf(words(WaitKind.values()));
    assertThat(viewerWords("SCHEDULER_STATES"))
        .isEqualTo(Stream.of(SchedulerState.values()).map(SchedulerState::word).toList());
  }

  private static List<String> words(WaitKind[] kinds) {
    return Arrays.stream(kinds).map(WaitKind::word).toList();
  }

  /** The words of a list {@code X(CONSTANT, "word")} in words.h. */
  private static List<String> cWords(String list) throws IOException {
    String header = read("recording/native/src/base/words.h");
    String body = between(header, "#define " + list + "(X)", "\n\n");
    return Pattern.compile("X\\(\\w+, \"(\\w+)\"\\)")
        .matcher(body)
        .results()
        .map(m -> m.group(1))
        .toList();
  }

  private static List<String> viewerWords(String list) throws IOException {
    String source = read("reading/viewer/src/base/words.ts");
    String body = between(source, "const " + list + " = [", "]");
    return Pattern.compile("'(\\w+)'").matcher(body).results().map(m -> m.group(1)).toList();
  }

  private static String between(String text, String begin, String end) {
    int at = text.indexOf(begin);
    assertThat(at).as("place of %s", begin).isNotNegative();
    int from = at + begin.length();
    return text.substring(from, text.indexOf(end, from));
  }

  private static String read(String path) throws IOException {
    return Files.readString(SourceTree.path(path));
  }
}
