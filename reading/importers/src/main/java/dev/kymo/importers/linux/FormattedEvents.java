package dev.kymo.importers.linux;

import dev.kymo.format.KernelEventFormat;
import dev.kymo.importers.linux.metadata.FileKind;
import dev.kymo.importers.linux.metadata.KernelMetadata;
import dev.kymo.importers.linux.metadata.PrintTexts;
import dev.kymo.importers.linux.metadata.Symbols;
import dev.kymo.importers.target.KernelTarget;
import dev.kymo.importers.target.Target;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Gives the kernel's own bytes of events to a recording, by the formats that a file has: each event
 * as it is, as calls, or as a text.
 */
public final class FormattedEvents {
  private static final String KERNEL_EVENTS = "events of the kernel";
  private static final int MOST_KINDS = 0xFFF0;

  private final Target target;
  private final KernelTarget kernel;
  private final Markers markers;
  private final FunctionCalls functions;
  private final Symbols symbols;
  private final PrintTexts texts;
  private final IntFunction<String> names;
  private final boolean bigEndian;
  private final Map<Integer, FileKind> formats = new HashMap<>();
  private final List<Kind> all = new ArrayList<>();

  /** A kind of events. */
  public static final class Kind {
    private final String name;
    private final @Nullable FileKind format;
    private final @Nullable MadeLayout made;
    private final int number;
    private final String special;
    private String became = KERNEL_EVENTS;
    private long count;

    private Kind(
        String name,
        @Nullable FileKind format,
        @Nullable MadeLayout made,
        int number,
        String special) {
      this.name = name;
      this.format = format;
      this.made = made;
      this.number = number;
      this.special = special;
    }
  }

  /**
   * Reads the formats.
   *
   * @param names of threads by their numbers
   */
  public FormattedEvents(
      Target target, KernelTarget kernel, KernelMetadata metadata, IntFunction<String> names) {
    this.target = target;
    this.kernel = kernel;
    this.names = names;
    this.markers = new Markers(target);
    this.functions = new FunctionCalls(target);
    this.symbols = metadata.symbols();
    this.texts = metadata.texts(symbols);
    this.bigEndian = metadata.isBigEndian();
    for (KernelMetadata.Format format : metadata.formats()) {
      try {
        FileKind kind = FileKind.parse(format.subsystem(), format.text(), bigEndian);
        formats.put(kind.id(), kind);
      } catch (IllegalArgumentException e) {
        target
            .troubles()
            .count("formats of events that are not readable", String.valueOf(e.getMessage()));
      }
    }
  }

  /** Whether the format of events with this number is known. */
  public boolean has(int id) {
    return formats.containsKey(id);
  }

  /**
   * Defines a kind of events.
   *
   * @param id number that the kernel has given it
   * @param prefix of its subsystem's name
   */
  public Kind kind(int id, String prefix) throws IOException {
    FileKind format = formats.get(id);
    Kind kind;
    if (format == null || all.size() > MOST_KINDS) {
      MadeLayout made = MadeLayout.of(prefix + "unknown", "event_" + id).bytes("data").build();
      kind = new Kind("unknown:event_" + id, null, made, kernel.kind(made.format()), "");
    } else {
      String special = format.subsystem().equals("ftrace") ? special(format) : "";
      KernelEventFormat named =
          prefix.isEmpty()
              ? format.format()
              : KernelEventFormat.parse(prefix + format.subsystem(), format.format().text());
      int number = special.isEmpty() ? kernel.kind(named) : -1;
      kind = new Kind(named.toString(), format, null, number, special);
    }
    all.add(kind);
    return kind;
  }

  public void take(Kind kind, int cpu, long clock, byte[] bytes, int at, int size)
      throws IOException {
    kind.count++;
    if (kind.special.isEmpty()) {
      kernel.event(cpu, clock, kind.number, bytes(kind, bytes, at, size));
    } else {
      special(kind, cpu, clock, bytes, at, size);
    }
  }

  /** Events are missing: what is called now is no longer known. */
  public void forget(long clock) throws IOException {
    functions.forget(clock);
  }

  /** Says how many events there were. */
  public void end() {
    for (Kind kind : all) {
      if (kind.count > 0) {
        target.tally().count(kind.name, kind.became, kind.count);
      }
    }
  }

  private byte[] bytes(Kind kind, byte[] bytes, int at, int size) {
    FileKind format = kind.format;
    if (format != null) {
      return format.bytes(bytes, at, size);
    }
    MadeLayout made = kind.made;
    byte[] copy = Arrays.copyOfRange(bytes, at, at + size);
    return made == null ? copy : made.event(0, 0, tid(bytes, at, size), (Object) copy);
  }

  private int tid(byte[] bytes, int at, int size) {
    return size < 8 ? 0 : (int) FileKind.number(bytes, at + 4, 4, bigEndian);
  }

  /** The name of a kind that does not stay as it is; else empty. */
  private static String special(FileKind format) {
    return switch (format.name()) {
      case "print", "bprint", "bputs", "function", "funcgraph_entry", "funcgraph_exit" ->
          format.name();
      default -> "";
    };
  }

  private void special(Kind kind, int cpu, long clock, byte[] bytes, int at, int size)
      throws IOException {
    FileKind format = kind.format;
    if (format == null) {
      return;
    }
    int tid = tid(bytes, at, size);
    String name = tid == 0 ? "idle" : names.apply(tid);
    String function = symbols.name(format.number("func", bytes, at, size));
    int depth = (int) format.number("depth", bytes, at, size);
    switch (kind.special) {
      case "funcgraph_entry" -> functions.enter(cpu, clock, tid, name, function, depth);
      case "funcgraph_exit" -> functions.leave(cpu, clock, tid, name, function, depth);
      case "function" ->
          functions.called(
              cpu,
              clock,
              tid,
              name,
              symbols.name(format.number("ip", bytes, at, size)),
              symbols.name(format.number("parent_ip", bytes, at, size)));
      default -> {
        Markers.Became became =
            markers.text(
                clock,
                new Markers.Writer(cpu, tid, 0, name),
                text(kind.special, format, bytes, at, size));
        target.tally().count(kind.name, became.toString());
        kind.count = 0;
        return;
      }
    }
    kind.became = "calls";
  }

  private String text(String kind, FileKind format, byte[] bytes, int at, int size) {
    return switch (kind) {
      case "bputs" -> texts.at(format.number("str", bytes, at, size));
      case "bprint" ->
          texts.filled(
              format.number("fmt", bytes, at, size),
              bytes,
              at + Math.clamp(format.offset("buf"), 0, size),
              at + size,
              bigEndian);
      default -> {
        int from = at + Math.clamp(format.offset("buf"), 0, size);
        int end = from;
        while (end < at + size && bytes[end] != 0) {
          end++;
        }
        yield new String(bytes, from, end - from, StandardCharsets.UTF_8);
      }
    };
  }
}
