package dev.kymo.format;

import java.util.List;
import java.util.UUID;

/** The {@code metadata} file of a recording, in CTF 1.8's language TSDL. */
public final class MetadataText {
  private MetadataText() {}

  /** Text of the whole file of a recording without kernel events. */
  public static String of(UUID uuid, Clock clock) {
    return of(uuid, clock, List.of());
  }

  /**
   * Text of the whole file.
   *
   * @param kernelEvents kinds of kernel events, by their number in the recording
   */
  public static String of(UUID uuid, Clock clock, List<KernelEventFormat> kernelEvents) {
    return HEAD.formatted(uuid, env(kernelEvents), FormatVersion.MAJOR, FormatVersion.MINOR)
        + clock(clock)
        + DEFINITIONS
        + THREADS
        + COUNTS
        + KernelMetadata.of(kernelEvents);
  }

  /** Tools for kernel traces know them by these. */
  private static String env(List<KernelEventFormat> kernelEvents) {
    return kernelEvents.isEmpty()
        ? "tracer_name = \"kymo\";\n  "
        : """
        domain = "kernel";
          tracer_name = "lttng-modules";
          tracer_major = 2;
          tracer_minor = 13;
          tracer_patchlevel = 0;
          \
        """;
  }

  private static String clock(Clock clock) {
    // CTF wants the offset as whole seconds and the rest in ticks.
    long seconds = Math.floorDiv(clock.wallOffset(), 1_000_000_000L);
    long ticks = clock.ticks(Math.floorMod(clock.wallOffset(), 1_000_000_000L));
    return CLOCK
        .formatted(clock.name(), clock.frequency(), seconds, ticks)
        .replace("CLOCK", clock.name());
  }

  // Numbers are formatted by %s: %d would look up the locale's digits, which takes long at the
  // start.
  private static final String HEAD =
      """
      /* CTF 1.8 */

      typealias integer { size = 8; align = 8; signed = false; } := uint8_t;
      typealias integer { size = 16; align = 8; signed = false; } := uint16_t;
      typealias integer { size = 24; align = 1; signed = false; } := uint24_t;
      typealias integer { size = 32; align = 8; signed = false; } := uint32_t;
      typealias integer { size = 64; align = 8; signed = false; } := uint64_t;
      typealias integer { size = 8; align = 8; signed = true; } := int8_t;
      typealias integer { size = 16; align = 8; signed = true; } := int16_t;
      typealias integer { size = 32; align = 8; signed = true; } := int32_t;
      typealias integer { size = 64; align = 8; signed = true; } := int64_t;
      typealias integer { size = 64; align = 8; signed = false; base = 16; } := hex64_t;
      typealias integer { size = 8; align = 8; signed = false; encoding = UTF8; } := text8_t;

      trace {
        major = 1;
        minor = 8;
        uuid = "%s";
        byte_order = le;
        packet.header := struct {
          uint32_t magic;
          uint8_t uuid[16];
          uint32_t stream_id;
          uint64_t stream_instance_id;
        };
      };

      env {
        %skymo_format_major = %s;
        kymo_format_minor = %s;
      };

      """;

  private static final String CLOCK =
      """
      clock {
        name = "%s";
        freq = %s;
        offset_s = %s;
        offset = %s;
        absolute = FALSE;
      };

      typealias integer { size = 32; align = 8; signed = false; map = clock.CLOCK.value; } := ts32_t;
      typealias integer { size = 64; align = 8; signed = false; map = clock.CLOCK.value; } := ts64_t;

      struct packet_context {
        ts64_t timestamp_begin;
        ts64_t timestamp_end;
        uint64_t content_size;
        uint64_t packet_size;
        uint64_t events_discarded;
        uint64_t packet_seq_num;
        uint32_t process;
        uint32_t thread;
      };

      struct event_header {
        enum : uint8_t { compact = 0 ... 254, extended = 255 } id;
        variant <id> {
          struct { ts32_t timestamp; } compact;
          struct { uint32_t id; ts64_t timestamp; } extended;
        } v;
      };

      """;

  private static final String DEFINITIONS =
      """
      stream {
        id = 0;
        packet.context := struct packet_context;
        event.header := struct event_header;
      };

      event {
        stream_id = 0; id = 0; name = "recording";
        fields := struct {
          string version; string command; string host; string kernel; string processor;
          uint32_t processors; string when_full;
        };
      };

      event {
        stream_id = 0; id = 1; name = "process";
        fields := struct {
          uint32_t process; uint32_t pid; uint32_t parent_pid; string command; string jvm;
        };
      };

      event {
        stream_id = 0; id = 2; name = "thread";
        fields := struct {
          uint32_t thread;
          enum : uint32_t { platform = 0, virtual = 1, states = 2, jvm = 3, scheduled = 4, cpu = 5 } kind;
          uint64_t java_id; uint32_t tid; string name;
        };
      };

      event {
        stream_id = 0; id = 3; name = "type";
        fields := struct { uint32_t type; string name; string loader; string source; };
      };

      event {
        stream_id = 0; id = 4; name = "method";
        fields := struct {
          uint32_t method; uint32_t type; uint32_t line; uint32_t access;
          string name; string descriptor;
        };
      };

      event {
        stream_id = 0; id = 5; name = "clock_pair";
        fields := struct { uint64_t ticks; uint64_t monotonic; uint64_t wall; };
      };

      event {
        stream_id = 0; id = 6; name = "process_end";
        fields := struct {
          uint32_t process;
          enum : uint32_t { ended = 0, killed = 1, stopped = 2 } how;
          uint64_t lost;
        };
      };

      event {
        stream_id = 0; id = 7; name = "notice";
        fields := struct { uint32_t process; string text; };
      };

      event {
        stream_id = 0; id = 8; name = "probe_cost";
        fields := struct {
          uint32_t process; uint32_t budget; uint32_t inside; uint32_t outside;
          uint32_t timed; uint32_t sampled; uint32_t spread;
        };
      };

      event {
        stream_id = 0; id = 9; name = "method_mode";
        fields := struct {
          uint32_t method;
          enum : uint32_t { left_out = 0, events = 1, timed = 2, sampled = 3 } mode;
          enum : uint32_t { left_out = 0, events = 1, timed = 2, sampled = 3 } before;
          string reason;
        };
      };

      event {
        stream_id = 0; id = 10; name = "own_cost";
        fields := struct {
          uint32_t process; uint64_t weaving; uint32_t classes; uint64_t housekeeping;
          uint64_t lifetime;
        };
      };

      event {
        stream_id = 0; id = 11; name = "kernel_event";
        fields := struct { uint32_t number; string subsystem; string format; };
      };

      event {
        stream_id = 0; id = 12; name = "subsystem";
        fields := struct {
          uint32_t number; uint32_t id; string name; string category; string color;
        };
      };

      event {
        stream_id = 0; id = 13; name = "event";
        fields := struct {
          uint32_t number; uint32_t subsystem; uint32_t id;
          enum : uint32_t {
            instant = 0, begin = 1, end = 2, counter = 3, send = 4, receive = 5
          } kind;
          string name; string description; string fields;
        };
      };

      event {
        stream_id = 0; id = 14; name = "place";
        fields := struct { hex64_t address; uint32_t method; };
      };

      event {
        stream_id = 0; id = 15; name = "stream";
        fields := struct { uint64_t bytes; string file; };
      };

      event {
        stream_id = 0; id = 16; name = "processor_time";
        fields := struct { uint32_t process; uint64_t all; uint64_t compiling; };
      };

      event {
        stream_id = 0; id = 17; name = "stack";
        fields := struct { uint32_t stack; uint32_t caller; uint32_t method; };
      };

      """;

  private static final String THREADS =
      """
      stream {
        id = 1;
        packet.context := struct packet_context;
        event.header := struct event_header;
      };

      event { stream_id = 1; id = 0; name = "enter"; fields := struct { uint24_t method; }; };
      event { stream_id = 1; id = 1; name = "leave"; fields := struct { uint24_t method; }; };
      event { stream_id = 1; id = 2; name = "unwind"; fields := struct { uint24_t method; }; };
      event { stream_id = 1; id = 3; name = "switch"; fields := struct { uint24_t thread; }; };
      event {
        stream_id = 1; id = 4; name = "detail";
        fields := struct { uint24_t unused; uint32_t object; uint32_t other; };
      };
      event {
        stream_id = 1; id = 5; name = "event";
        fields := struct { uint24_t number; uint64_t argument; };
      };
      event {
        stream_id = 1; id = 6; name = "event_data";
        fields := struct { uint24_t number; uint32_t length; uint32_t size; uint8_t data[size]; };
      };

      """;

  private static final String COUNTS =
      """
      stream {
        id = 2;
        packet.context := struct packet_context;
        event.header := struct event_header;
      };

      event {
        stream_id = 2; id = 0; name = "count";
        fields := struct {
          uint32_t thread; uint32_t method;
          enum : uint32_t { timed = 2, sampled = 3 } mode;
          uint64_t calls; uint64_t timed; uint64_t ticks; uint64_t durations; uint64_t max;
          uint32_t buckets;
          struct { uint8_t bucket; uint32_t count; } histogram[buckets];
        };
      };

      event {
        stream_id = 2; id = 1; name = "count_spent";
        fields := struct {
          uint32_t thread; uint32_t method;
          enum : uint32_t { events = 1, timed = 2, sampled = 3 } mode;
          uint64_t calls; uint64_t timed; uint64_t ticks; uint64_t durations; uint64_t max;
          uint64_t total; uint64_t self; uint64_t squares; uint64_t interval;
          uint64_t unplaced; uint64_t since;
          uint32_t buckets;
          struct { uint8_t bucket; uint32_t count; } histogram[buckets];
        };
      };
      """;
}
