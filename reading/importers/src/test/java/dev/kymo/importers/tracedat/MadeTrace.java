package dev.kymo.importers.tracedat;

import com.github.luben.zstd.Zstd;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.Deflater;

/** Makes the bytes of a trace.dat with two processors. */
public final class MadeTrace {
  private static final int PAGE = 4096;
  private static final String COMMON =
      """
      format:
      \tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;
      \tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;
      \tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;
      \tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;

      """;
  public static final int SWITCH = 300;
  static final int PRINT = 5;
  static final int ENTRY = 11;
  static final int EXIT = 10;
  static final int BPRINT = 6;

  private final ByteOrder order;
  private final int longSize;
  private final String compression;
  private final int pageSize;
  private final Bytes options = new Bytes();
  private final List<List<byte[]>> pages = List.of(new ArrayList<>(), new ArrayList<>());

  /**
   * An empty file.
   *
   * @param compression empty = version 6
   */
  public MadeTrace(boolean bigEndian, int longSize, String compression) {
    this(bigEndian, longSize, compression, PAGE);
  }

  /** The same of a kernel with larger pages. */
  MadeTrace(boolean bigEndian, int longSize, String compression, int pageSize) {
    this.pageSize = pageSize;
    this.order = bigEndian ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
    this.longSize = longSize;
    this.compression = compression;
  }

  /** Numbers and texts, one after the other. */
  public final class Bytes {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    public Bytes number(int size, long value) {
      ByteBuffer buffer = ByteBuffer.allocate(8).order(order).putLong(value);
      int from = order == ByteOrder.BIG_ENDIAN ? 8 - size : 0;
      bytes.write(buffer.array(), from, size);
      return this;
    }

    public Bytes text(String text) {
      bytes.writeBytes(text.getBytes(StandardCharsets.ISO_8859_1));
      return this;
    }

    public Bytes text(String text, int size) {
      return text((text + "\0".repeat(size)).substring(0, size));
    }

    public Bytes raw(byte[] raw) {
      bytes.writeBytes(raw);
      return this;
    }

    public Bytes sized(int size, String text) {
      return number(size, text.length()).text(text);
    }

    public byte[] array() {
      return bytes.toByteArray();
    }

    public int size() {
      return bytes.size();
    }
  }

  public Bytes bytes() {
    return new Bytes();
  }

  /** The common fields. */
  public Bytes event(int id, int tid) {
    return bytes().number(2, id).number(1, 0).number(1, 0).number(4, tid);
  }

  /** A switch of threads. */
  public Bytes switches(int prev, int state, int next, String name) {
    return event(SWITCH, prev)
        .text("t" + prev, 16)
        .number(4, prev)
        .number(4, 120)
        .number(longSize, state)
        .text(name, 16)
        .number(4, next)
        .number(4, 120);
  }

  /** Data in a page: header of an event with the time since the event before it. */
  Bytes record(int delta, Bytes event) {
    int words = (event.size() + 3) / 4;
    Bytes record = bytes();
    if (words <= 28) {
      record.number(4, header(words, delta));
    } else {
      record.number(4, header(0, delta)).number(4, words * 4L + 4);
    }
    return record.raw(event.array()).text("\0".repeat(words * 4 - event.size()));
  }

  long header(int kind, int delta) {
    return order == ByteOrder.BIG_ENDIAN ? (long) kind << 27 | delta : (long) delta << 5 | kind;
  }

  /** Adds a page. */
  void page(int cpu, long time, long flags, Bytes... records) {
    Bytes data = bytes();
    for (Bytes record : records) {
      data.raw(record.array());
    }
    Bytes page = bytes().number(8, time).number(longSize, data.size() | flags).raw(data.array());
    if ((flags & 1L << 30) != 0) {
      page.number(longSize, 17);
    }
    pages.get(cpu).add(page.text("\0".repeat(pageSize - page.size())).array());
  }

  private String field(String declaration, int offset, int size) {
    return "\tfield:%s;\toffset:%d;\tsize:%d;\tsigned:1;\n".formatted(declaration, offset, size);
  }

  private static String format(String name, int id, String... fields) {
    return "name: "
        + name
        + "\nID: "
        + id
        + "\n"
        + COMMON
        + String.join("", fields)
        + "\nprint fmt: \"x\"\n";
  }

  private Bytes headerInfo() {
    String page =
        "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
            + "\tfield: local_t commit;\toffset:8;\tsize:"
            + longSize
            + ";\tsigned:1;\n";
    return bytes().text("header_page\0").sized(8, page).text("header_event\0").sized(8, "# x\n");
  }

  private Bytes ftraceFormats() {
    int l = longSize;
    String print =
        format("print", PRINT, field("unsigned long ip", 8, l), field("char buf[]", 8 + l, 0));
    String bprint =
        format(
            "bprint",
            BPRINT,
            field("unsigned long ip", 8, l),
            field("const char * fmt", 8 + l, l),
            field("u32 buf[]", 8 + 2 * l, 0));
    String entry =
        format(
            "funcgraph_entry",
            ENTRY,
            field("unsigned long func", 8, l),
            field("int depth", 8 + l, 4));
    String exit =
        format(
            "funcgraph_exit",
            EXIT,
            field("unsigned long func", 8, l),
            field("int depth", 8 + l, 4));
    return bytes().number(4, 4).sized(8, print).sized(8, entry).sized(8, exit).sized(8, bprint);
  }

  private Bytes eventFormats() {
    int l = longSize;
    String text =
        format(
            "sched_switch",
            SWITCH,
            field("char prev_comm[16]", 8, 16),
            field("pid_t prev_pid", 24, 4),
            field("int prev_prio", 28, 4),
            field("long prev_state", 32, l),
            field("char next_comm[16]", 32 + l, 16),
            field("pid_t next_pid", 48 + l, 4),
            field("int next_prio", 52 + l, 4));
    return bytes().number(4, 1).text("sched\0").number(4, 1).sized(8, text);
  }

  private static final String SYMBOLS = "00001000 T first\n00002000 T second\n";
  private static final String PRINTK = "0x5000 : \"%d of %s at %lx\\n\"\n";
  private static final String NAMES = "7 seven\n8 eight\n";

  /** The same of perf, which has it without events. */
  public byte[] perfMetadata() {
    return start("0.6")
        .raw(headerInfo().array())
        .raw(ftraceFormats().array())
        .raw(eventFormats().array())
        .sized(4, SYMBOLS)
        .sized(4, PRINTK)
        .sized(8, NAMES)
        .array();
  }

  private Bytes start(String version) {
    return bytes()
        .text("\u0017\bDtracing" + version + "\0")
        .number(1, order == ByteOrder.BIG_ENDIAN ? 1 : 0)
        .number(1, longSize)
        .number(4, pageSize);
  }

  /** Adds an option. */
  MadeTrace option(int id, Bytes content) {
    options.number(2, id).number(4, content.size()).raw(content.array());
    return this;
  }

  /** The whole file. */
  byte[] file() {
    return compression.isEmpty() ? version6() : version7();
  }

  private byte[] version6() {
    Bytes head =
        start("6")
            .raw(headerInfo().array())
            .raw(ftraceFormats().array())
            .raw(eventFormats().array())
            .sized(4, SYMBOLS)
            .sized(4, PRINTK)
            .sized(8, NAMES)
            .number(4, 2)
            .text("options  \0")
            .number(2, 1)
            .sized(4, "0x10\0")
            .number(2, 5)
            .sized(4, "Linux host 5.4.0 mips\0")
            .raw(options.array())
            .number(2, 0)
            .text("flyrecord\0");
    int at = (head.size() + 32 + pageSize - 1) / pageSize * pageSize;
    Bytes data = bytes();
    for (List<byte[]> cpu : pages) {
      head.number(8, (long) at + data.size()).number(8, (long) cpu.size() * pageSize);
      cpu.forEach(data::raw);
    }
    return head.text("\0".repeat(at - head.size())).raw(data.array()).array();
  }

  private byte[] packed(byte[] content) {
    if (compression.equals("zstd")) {
      return Zstd.compress(content);
    }
    Deflater deflater = new Deflater();
    deflater.setInput(content);
    deflater.finish();
    byte[] to = new byte[content.length + 100];
    int size = deflater.deflate(to);
    deflater.end();
    return Arrays.copyOf(to, size);
  }

  private Bytes packedBytes(byte[] content) {
    if (compression.equals("none")) {
      return bytes().raw(content);
    }
    byte[] packed = packed(content);
    return bytes().number(4, packed.length).number(4, content.length).raw(packed);
  }

  private Bytes section(int id, byte[] content) {
    int flag = compression.equals("none") ? 0 : 1;
    return bytes()
        .number(2, id)
        .number(2, flag)
        .number(4, 0)
        .number(8, content.length)
        .raw(content);
  }

  private byte[] version7() {
    Bytes file = start("7").text(compression + "\0" + "1.0\0");
    int pointer = file.size();
    file.number(8, 0);
    Bytes options = bytes();
    byte[][] contents = {
      headerInfo().array(),
      ftraceFormats().array(),
      eventFormats().array(),
      bytes().sized(4, SYMBOLS).array(),
      bytes().sized(4, PRINTK).array(),
      bytes().sized(8, NAMES).array()
    };
    for (int i = 0; i < contents.length; i++) {
      options.number(2, 16 + i).number(4, 8).number(8, file.size());
      file.raw(section(16 + i, packedBytes(contents[i]).array()).array());
    }
    long buffer = file.size();
    Bytes places = bytes();
    Bytes data = bytes();
    for (int cpu = 0; cpu < 2; cpu++) {
      Bytes all = bytes();
      pages.get(cpu).forEach(all::raw);
      byte[] content = all.array();
      byte[] part =
          compression.equals("none")
              ? content
              : bytes().number(4, 1).raw(packedBytes(content).array()).array();
      places.number(4, cpu).number(8, buffer + 16 + data.size()).number(8, part.length);
      data.raw(part);
    }
    file.raw(section(3, data.array()).array());
    Bytes option =
        bytes()
            .number(8, buffer)
            .text("\0local\0")
            .number(4, pageSize)
            .number(4, 2)
            .raw(places.array());
    options.number(2, 3).number(4, option.size()).raw(option.array());
    options.number(2, 1).sized(4, "0x10\0").number(2, 5).sized(4, "Linux host 5.4.0 mips\0");
    options.raw(this.options.array()).number(2, 0).number(4, 8).number(8, 0);
    long first = file.size();
    file.raw(section(0, packedBytes(options.array()).array()).array());
    byte[] array = file.array();
    System.arraycopy(bytes().number(8, first).array(), 0, array, pointer, 8);
    return array;
  }
}
