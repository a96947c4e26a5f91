package dev.kymo.importers.tracedat.file;

import dev.kymo.importers.linux.metadata.Input;
import dev.kymo.importers.linux.metadata.KernelMetadata;
import dev.kymo.importers.tracedat.file.TraceMetadata.Buffer;
import dev.kymo.importers.tracedat.file.TraceMetadata.CpuPlace;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads everything except the events.
 *
 * <pre>
 *   17 08 44 "tracing"  version text  u8 1 = big-endian  u8 bytes of a long  u32 bytes of a page
 *   version 6: header texts, formats of ftrace, formats of events, kallsyms, printk, cmdlines,
 *              u32 CPUs, "options  \0" options, "flyrecord\0" places of the CPUs, or "latency  \0"
 *   version 7: text compression, text its version, u64 offset of the first section of options;
 *              a section: u16 id, u16 1 = compressed, u32 name, u64 size, content
 * </pre>
 */
final class MetadataReader {
  private static final int MOST_TEXT = KernelMetadata.MOST_TEXT;
  private static final int MOST_CPUS = 8192;
  private static final int MOST_BUFFERS = 1_000;
  private static final int MOST_SECTIONS = 10_000;
  private static final int LARGEST_PAGE = 4 * 1024 * 1024;
  private static final int SMALLEST_PAGE = 64;
  private static final Pattern CLOCK = Pattern.compile("\\[(\\S{1,30})]");

  private final Input in;
  private final TraceMetadata data = new TraceMetadata();
  private Unpacker unpacker = new Unpacker("none");

  private MetadataReader(Input in) {
    this.in = in;
  }

  static TraceMetadata read(Path path, FileChannel file) throws IOException {
    Input start = Input.of(path, file, false);
    start.seek(KernelMetadata.MAGIC);
    String version = start.text(10);
    boolean bigEndian = start.number(1) == 1;
    Input in = Input.of(path, file, bigEndian);
    in.seek(start.position());
    return new MetadataReader(in).read(version, bigEndian);
  }

  private TraceMetadata read(String version, boolean bigEndian) throws IOException {
    if (!version.equals("6") && !version.equals("7")) {
      throw in.wrong("version of trace.dat is not known", "version=" + version + " known=6,7");
    }
    data.version = Integer.parseInt(version);
    KernelMetadata kernel = new KernelMetadata(bigEndian, (int) in.number(1));
    data.kernel = kernel;
    data.pageSize = pageSize(in.number(4));
    if (data.version == 6) {
      version6();
    } else {
      version7();
    }
    int longSize = kernel.longSize();
    if (longSize != Integer.BYTES && longSize != Long.BYTES) {
      throw in.wrong("a long has an unknown size", "size=" + longSize);
    }
    return data;
  }

  private int pageSize(long size) throws IOException {
    if (size < SMALLEST_PAGE || size > LARGEST_PAGE) {
      throw in.wrong("pages have an unlikely size", "size=" + size + " max=" + LARGEST_PAGE);
    }
    return (int) size;
  }

  private void version6() throws IOException {
    KernelMetadata kernel = data.kernel;
    kernel.header(in);
    kernel.ftraceFormats(in);
    kernel.eventFormats(in);
    kernel.symbols(in);
    kernel.printk(in);
    kernel.names(in);
    data.cpus = cpus(in.number(4));
    List<long[]> others = new ArrayList<>();
    List<String> names = new ArrayList<>();
    buffer6("", others, names);
    for (int i = 0; i < others.size(); i++) {
      in.seek(others.get(i)[0]);
      buffer6(names.get(i), new ArrayList<>(), new ArrayList<>());
    }
  }

  private int cpus(long count) throws IOException {
    if (count > MOST_CPUS) {
      throw in.wrong("more processors than any kernel has", "cpus=" + count + " max=" + MOST_CPUS);
    }
    return (int) count;
  }

  /** Where the events of a buffer are; other buffers are among the options of the first. */
  private void buffer6(String name, List<long[]> others, List<String> names) throws IOException {
    String kind = in.string(10, 10);
    if (kind.startsWith("options")) {
      for (int id = (int) in.number(2); id != Option.DONE; id = (int) in.number(2)) {
        Input option = option();
        if (id == Option.BUFFER && others.size() < MOST_BUFFERS) {
          others.add(new long[] {option.number(8)});
          names.add(option.text(1_000));
        } else {
          option(id, option);
        }
      }
      kind = in.string(10, 10);
    }
    if (kind.startsWith("latency")) {
      long begin = in.position();
      List<CpuPlace> places = List.of(new CpuPlace(0, begin, in.size() - begin));
      data.buffers.add(new Buffer(name, data.pageSize, false, true, places));
      return;
    }
    if (!kind.equals("flyrecord")) {
      throw in.wrong("what the file holds is not known", "kind=\"" + kind + "\"");
    }
    List<CpuPlace> places = new ArrayList<>();
    for (int cpu = 0; cpu < data.cpus; cpu++) {
      places.add(place(in, cpu));
    }
    data.buffers.add(new Buffer(name, data.pageSize, false, false, places));
  }

  private CpuPlace place(Input from, int cpu) throws IOException {
    long offset = from.number(8);
    long size = from.number(8);
    if (size != 0 && (offset < 0 || size < 0 || offset > in.size() || size > in.size() - offset)) {
      throw from.wrong(
          "file is cut: a processor's events are beyond its end",
          "cpu=%d events=%d+%d size=%d".formatted(cpu, offset, size, in.size()));
    }
    return new CpuPlace(cpu, offset, size);
  }

  private Input option() throws IOException {
    return option(in);
  }

  private static Input option(Input from) throws IOException {
    long at = from.position();
    return from.unpacked(from.bytes(from.number(4), MOST_TEXT), at);
  }

  private void version7() throws IOException {
    data.compression = in.text(100);
    in.text(100);
    unpacker = new Unpacker(data.compression);
    if (!unpacker.isKnown()) {
      throw in.wrong("compression is not known", "name=" + data.compression + " known=zlib,zstd");
    }
    long next = in.number(8);
    Set<Long> seen = new HashSet<>();
    while (next != 0) {
      if (!seen.add(next) || seen.size() > MOST_SECTIONS) {
        throw in.wrong("sections of options form a circle", "offset=" + next);
      }
      in.seek(next);
      next = options(section(Option.DONE));
    }
  }

  /** The content of the section where the input is. */
  private Input section(int wanted) throws IOException {
    long id = in.number(2);
    boolean packed = (in.number(2) & 1) != 0;
    in.number(4);
    long size = in.number(8);
    if (id != wanted) {
      throw in.wrong("section is another one", "id=" + id + " wanted=" + wanted);
    }
    long at = in.position();
    return packed
        ? in.unpacked(unpacker.unpack(in, 2 * MOST_TEXT), at)
        : in.unpacked(in.bytes(size, 2 * MOST_TEXT), at);
  }

  private long options(Input from) throws IOException {
    while (true) {
      int id = (int) from.number(2);
      Input option = option(from);
      if (id == Option.DONE) {
        return option.number(8);
      }
      switch (id) {
        case Option.HEADER_INFO -> data.kernel.header(at(option, id));
        case Option.FTRACE_EVENTS -> data.kernel.ftraceFormats(at(option, id));
        case Option.EVENT_FORMATS -> data.kernel.eventFormats(at(option, id));
        case Option.KALLSYMS -> data.kernel.symbols(at(option, id));
        case Option.PRINTK -> data.kernel.printk(at(option, id));
        case Option.CMDLINES -> data.kernel.names(at(option, id));
        case Option.BUFFER, Option.BUFFER_TEXT -> buffer7(option, id == Option.BUFFER_TEXT);
        default -> option(id, option);
      }
    }
  }

  private Input at(Input option, int id) throws IOException {
    in.seek(option.number(8));
    return section(id);
  }

  private void buffer7(Input option, boolean text) throws IOException {
    if (data.buffers.size() == MOST_BUFFERS) {
      throw in.wrong("too many buffers", "max=" + MOST_BUFFERS);
    }
    in.seek(option.number(8));
    in.number(2);
    boolean packed = (in.number(2) & 1) != 0;
    in.number(4);
    long size = in.number(8);
    String name = option.text(1_000);
    data.facts.putIfAbsent("clock", option.text(1_000));
    List<CpuPlace> places = new ArrayList<>();
    if (text) {
      places.add(new CpuPlace(0, in.position(), Math.min(size, in.size() - in.position())));
      data.buffers.add(new Buffer(name, data.pageSize, packed, true, places));
      return;
    }
    int page = pageSize(option.number(4));
    long count = cpus(option.number(4));
    for (int i = 0; i < count; i++) {
      places.add(place(option, cpus(option.number(4))));
    }
    data.buffers.add(new Buffer(name, page, packed, false, places));
  }

  private void option(int id, Input option) throws IOException {
    long size = option.size();
    switch (id) {
      case Option.DATE -> data.time = data.time.since(decoded(option) * 1_000);
      case Option.OFFSET -> data.time = data.time.shifted(decoded(option));
      case Option.CPUSTAT -> data.statistics.add(option.string(size, MOST_TEXT));
      case Option.UNAME -> data.facts.put("uname", option.string(size, MOST_TEXT));
      case Option.VERSION -> data.facts.put("version", option.string(size, MOST_TEXT));
      case Option.TRACECLOCK -> {
        Matcher clock = CLOCK.matcher(option.string(size, MOST_TEXT));
        if (clock.find()) {
          data.facts.put("clock", clock.group(1));
        }
      }
      case Option.CPUCOUNT -> data.cpus = cpus(option.number(4));
      case Option.TSC2NSEC -> {
        if (size >= 16) {
          data.time = data.time.scaled(option.number(4), (int) option.number(4));
        }
      }
      case Option.TIME_SHIFT -> data.shift = TimeShift.read(option, MOST_CPUS);
      case Option.TRACEID -> data.facts.put("trace", Long.toHexString(option.number(8)));
      case Option.GUEST -> guest(option);
      default -> {
        // says nothing about events
      }
    }
  }

  /** A virtual machine, with the host's threads that are its processors. */
  private void guest(Input option) throws IOException {
    if (data.guests.size() == MOST_BUFFERS) {
      throw option.wrong("too many virtual machines", "max=" + MOST_BUFFERS);
    }
    String name = option.text(1_000);
    String trace = Long.toHexString(option.number(8));
    StringBuilder threads = new StringBuilder();
    for (long left = cpus(option.number(4)); left > 0; left--) {
      threads.append(" %d=%d".formatted(option.number(4), option.number(4)));
    }
    data.guests.add(
        "virtual machine %s, trace %s, processors and their threads:%s"
            .formatted(name, trace, threads));
  }

  private static long decoded(Input option) throws IOException {
    try {
      return Long.decode(option.string(option.size(), 100).strip());
    } catch (NumberFormatException e) {
      return 0;
    }
  }
}
