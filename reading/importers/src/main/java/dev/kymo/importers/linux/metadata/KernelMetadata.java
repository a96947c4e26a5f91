package dev.kymo.importers.linux.metadata;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A kernel's descriptions of its events. trace-cmd's and perf's files have the same parts, one
 * after the other or each in a section of its own.
 *
 * <pre>
 *   17 08 44 "tracing"  version text  u8 1 = big-endian  u8 bytes of a long  u32 bytes of a page
 *   "header_page\0"  u64 size, text    "header_event\0"  u64 size, text
 *   u32 formats of ftrace: u64 size, text
 *   u32 subsystems: text, u32 formats: u64 size, text
 *   u32 size, kallsyms   u32 size, printk   u64 size, cmdlines (perf: from version 0.6 on)
 * </pre>
 */
public final class KernelMetadata {
  /** Bytes before the version. */
  public static final int MAGIC = 10;

  /** Bytes of one part. */
  public static final int MOST_TEXT = 32 * 1024 * 1024;

  private static final int MOST_FORMATS = 100_000;
  private static final int LONGEST_FORMAT = 1024 * 1024;
  private static final int LONGEST_NAME = 1_000;
  private static final Pattern COMMIT = Pattern.compile("commit;[^\\n]*?size:(\\d);");
  private static final String WITHOUT_NAMES = "0.5";

  private final boolean bigEndian;
  private int longSize;
  private final List<Format> formats = new ArrayList<>();
  private final Map<Integer, String> names = new LinkedHashMap<>();
  private byte[] symbols = {};
  private String printk = "";
  private long characters;

  /** The kernel's text about a kind of events. */
  public record Format(String subsystem, String text) {}

  /**
   * Knows nothing yet.
   *
   * @param longSize bytes of the kernel's long, unless its header says otherwise
   */
  public KernelMetadata(boolean bigEndian, int longSize) {
    this.bigEndian = bigEndian;
    this.longSize = longSize;
  }

  /** Reads all parts of perf's, from the magic on. */
  public static KernelMetadata ofPerf(byte[] bytes, Input.Place place) throws IOException {
    Input start = Input.of(bytes, place, false);
    start.seek(MAGIC);
    String version = start.text(MAGIC);
    boolean bigEndian = start.number(1) == 1;
    Input in = Input.of(bytes, place, bigEndian);
    in.seek(start.position());
    KernelMetadata metadata = new KernelMetadata(bigEndian, (int) in.number(1));
    in.number(4);
    metadata.header(in);
    metadata.ftraceFormats(in);
    metadata.eventFormats(in);
    metadata.symbols(in);
    metadata.printk(in);
    if (version.compareTo(WITHOUT_NAMES) > 0) {
      metadata.names(in);
    }
    return metadata;
  }

  /** Reads the texts about pages and about what all events have. */
  public void header(Input from) throws IOException {
    headerText(from, "header_page");
    Matcher commit = COMMIT.matcher(from.string(from.number(8), MOST_TEXT));
    if (commit.find()) {
      longSize = Integer.parseInt(commit.group(1));
    }
    headerText(from, "header_event");
    from.bytes(from.number(8), MOST_TEXT);
  }

  private static void headerText(Input from, String wanted) throws IOException {
    String found = from.text(100);
    if (!found.equals(wanted)) {
      throw from.wrong("header is another one", "name=\"" + found + "\" wanted=" + wanted);
    }
  }

  /** Reads the formats of what ftrace itself writes. */
  public void ftraceFormats(Input from) throws IOException {
    long count = from.number(4);
    for (long i = 0; i < count; i++) {
      format("ftrace", from);
    }
  }

  /** Reads the formats of all other events. */
  public void eventFormats(Input from) throws IOException {
    long systems = from.number(4);
    for (long system = 0; system < systems; system++) {
      String name = from.text(LONGEST_NAME);
      long count = from.number(4);
      for (long i = 0; i < count; i++) {
        format(name, from);
      }
    }
  }

  private void format(String subsystem, Input from) throws IOException {
    if (formats.size() == MOST_FORMATS) {
      throw from.wrong("too many formats of events", "max=" + MOST_FORMATS);
    }
    String text = from.string(from.number(8), LONGEST_FORMAT);
    characters += text.length();
    if (characters > MOST_TEXT) {
      throw from.wrong("formats of events are too long", "max=" + MOST_TEXT);
    }
    formats.add(new Format(subsystem, text));
  }

  /** Reads addresses and names of the kernel's functions: {@code /proc/kallsyms}. */
  public void symbols(Input from) throws IOException {
    symbols = from.bytes(from.number(4), MOST_TEXT);
  }

  /** Reads addresses and texts of what the kernel prints. */
  public void printk(Input from) throws IOException {
    printk = from.string(from.number(4), MOST_TEXT);
  }

  /** Reads numbers and names of threads. */
  public void names(Input from) throws IOException {
    for (String line : from.string(from.number(8), MOST_TEXT).split("\n", -1)) {
      int blank = line.indexOf(' ');
      if (blank > 0
          && blank < 10
          && line.substring(0, blank).chars().allMatch(c -> c >= '0' && c <= '9')) {
        names.put(Integer.parseInt(line.substring(0, blank)), line.substring(blank + 1));
      }
    }
  }

  public boolean isBigEndian() {
    return bigEndian;
  }

  /** Bytes of the kernel's long. */
  public int longSize() {
    return longSize;
  }

  public List<Format> formats() {
    return formats;
  }

  /** Names of threads by their numbers, as they were at the end. */
  public Map<Integer, String> names() {
    return names;
  }

  /** Names of functions by their addresses. */
  public Symbols symbols() {
    return Symbols.parse(symbols);
  }

  public PrintTexts texts(Symbols names) {
    return new PrintTexts(printk, names, longSize);
  }
}
