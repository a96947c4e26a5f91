package dev.kymo.importers.ctf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kymo.importers.mutants.Mutants;
import dev.kymo.importers.target.Converted;
import dev.kymo.importers.target.ForeignException;
import dev.kymo.importers.target.ForeignFile;
import dev.kymo.importers.target.Import;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Traces that are made here: what becomes of their events, and that damage is told, not suffered.
 */
class CtfFilesTest {

  /** As LTTng-UST writes it: contexts, several kinds of events, calls, and files in memory. */
  private static final String UST =
      """
      /* CTF 1.8 */
      typealias integer { size = 8; align = 8; signed = false; } := uint8_t;
      typealias integer { size = 32; align = 8; signed = false; } := unsigned int;
      typealias integer { size = 64; align = 8; signed = false; map = clock.mono.value; } := time_t;
      typealias integer { size = 64; align = 8; signed = false; base = hex; } := addr_t;
      trace {
        major = 1; minor = 8; byte_order = le;
        packet.header := struct { unsigned int magic; unsigned int stream_id; };
      };
      env { domain = "ust"; tracer_name = "lttng-ust"; hostname = "box"; };
      clock { name = mono; freq = 1000000000; offset = 1000000; };
      stream {
        id = 0;
        packet.context := struct {
          time_t timestamp_begin; time_t timestamp_end;
          unsigned int content_size; unsigned int packet_size;
          unsigned int events_discarded; unsigned int cpu_id;
        };
        event.header := struct {
          enum : integer { size = 5; align = 1; signed = false; } { compact = 0 ... 30, extended = 31 } id;
          variant <id> {
            struct {
              integer { size = 27; align = 1; signed = false; map = clock.mono.value; } timestamp;
            } compact;
            struct { unsigned int id; time_t timestamp; } extended;
          } v;
        } align(8);
        event.context := struct { unsigned int _vpid; unsigned int _vtid; };
      };
      event {
        id = 0; stream_id = 0; name = "app:state";
        fields := struct {
          enum : uint8_t { off, on = 5 ... 7 } _mode;
          struct { unsigned int x; string s; } _in;
          uint8_t _len;
          unsigned int _list[_len];
          variant <_mode> { uint8_t off; struct { uint8_t a; uint8_t b; } on; } _more;
        };
      };
      event { id = 1; stream_id = 0; name = "lttng_ust_cyg_profile_fast:func_entry";
        fields := struct { addr_t _addr; addr_t _call_site; }; };
      event { id = 2; stream_id = 0; name = "lttng_ust_cyg_profile_fast:func_exit"; };
      event { id = 40; stream_id = 0; name = "lttng_ust_statedump:bin_info";
        fields := struct { addr_t _baddr; addr_t _memsz; string _path; uint8_t _is_pic; }; };
      """;

  @TempDir Path directory;
  private Path trace;

  @BeforeEach
  void makeDirectory() throws IOException {
    trace = Files.createDirectory(directory.resolve("trace"));
  }

  /** A packet that is put together. */
  private static final class Bytes {
    final ByteArrayOutputStream out = new ByteArrayOutputStream();

    Bytes u8(long... values) {
      for (long value : values) {
        out.write((int) value);
      }
      return this;
    }

    Bytes number(int size, long value) {
      for (int i = 0; i < size; i++) {
        out.write((int) (value >>> (8 * i)));
      }
      return this;
    }

    Bytes text(String text) {
      out.writeBytes(text.getBytes(StandardCharsets.UTF_8));
      return u8(0);
    }

    /** Header of a compact event of thread 7 in process 5. */
    Bytes event(int id, long time) {
      return number(4, id | (time & 0x7FFFFFF) << 5).number(4, 5).number(4, 7);
    }
  }

  private static byte[] packet(long begin, int discarded, int cpu, Bytes events) {
    int size = 40 + events.out.size();
    Bytes packet = new Bytes().number(4, 0xC1FC1FC1L).number(4, 0);
    packet.number(8, begin).number(8, begin + 1000);
    packet.number(4, size * 8L).number(4, size * 8L).number(4, discarded).number(4, cpu);
    packet.out.writeBytes(events.out.toByteArray());
    return packet.out.toByteArray();
  }

  private static byte[] stream() {
    long begin = 0x7FFFF00L; // the 27 bits of the clock wrap soon
    Bytes events = new Bytes();
    events
        .event(0, begin + 10)
        .u8(0)
        .number(4, 99)
        .text("hi")
        .u8(2)
        .number(4, 1)
        .number(4, 2)
        .u8(9);
    events.u8(31).number(4, 40).number(8, begin + 20).number(4, 5).number(4, 7);
    events.number(8, 0x400000).number(8, 0x1000).text("/usr/lib/libx.so").u8(1);
    events.event(1, begin + 30).number(8, 0x400123).number(8, 0);
    events.event(0, begin + 300).u8(6).number(4, 1).text("").u8(0).u8(3, 4);
    events.event(2, begin + 310);
    ByteArrayOutputStream stream = new ByteArrayOutputStream();
    stream.writeBytes(packet(begin, 0, 0, events));
    stream.writeBytes(packet(begin + 1000, 4, 0, new Bytes().event(2, begin + 1100)));
    return stream.toByteArray();
  }

  private Path convert() throws IOException {
    Path recording = Files.createTempDirectory(directory, "recording");
    new CtfFormat().convert(ForeignFile.of(trace), new Import(recording, (done, all) -> {}));
    return recording;
  }

  @Test
  void userEventsCallsAndLossesOfLttng() throws Exception {
    Files.writeString(trace.resolve("metadata"), UST);
    Files.write(trace.resolve("channel_0"), stream());
    Files.createDirectory(trace.resolve("index"));
    assertThat(new CtfFormat().recognises(ForeignFile.of(directory))).isTrue();
    Converted read = Converted.read(convert());
    assertThat(read.tracks()).contains("thread 7");
    assertThat(read.events())
        .contains(
            "thread 7: 0 app.state mode=off in.x=99 in.s=hi len=2 list=[1, 2] more=9",
            "thread 7: 290 app.state mode=on in.x=1 in.s= len=0 list=[] more={a=3, b=4}");
    assertThat(read.calls()).contains("thread 7: libx.so.0x123 20-300");
    assertThat(read.notices())
        .contains("imported from CTF 1.8: file=trace events=6")
        .anyMatch(text -> text.startsWith("imported as calls: 3"));
  }

  @Test
  void ourOwnRecordingsAreNotForeign() throws Exception {
    Files.writeString(trace.resolve("metadata"), UST + "env { kymo_format_major = 1; };");
    assertThat(new CtfFormat().recognises(ForeignFile.of(trace))).isFalse();
  }

  @Test
  void fieldsOfAnySizeInBothByteOrders() throws Exception {
    for (String order : new String[] {"le", "be"}) {
      Files.writeString(
          trace.resolve("metadata"),
          """
          /* CTF 1.8 */
          trace { major = 1; minor = 8; byte_order = %s; };
          event { name = bits; fields := struct {
            integer { size = 3; } a;
            integer { size = 7; signed = true; } b;
            integer { size = 22; } c;
            floating_point { exp_dig = 8; mant_dig = 24; align = 32; } f;
            integer { size = 16; byte_order = network; } n;
            integer { size = 72; } large;
          }; };
          """
              .formatted(order));
      boolean big = order.equals("be");
      ByteBuffer bytes =
          ByteBuffer.allocate(19).order(big ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN);
      int b = -3 & 0x7F;
      bytes.putInt(big ? 5 << 29 | b << 22 | 0x2ABCDE : 5 | b << 3 | 0x2ABCDE << 10);
      bytes.putFloat(1.5f).put((byte) 1).put((byte) 2);
      bytes.put(big ? 10 : 18, (byte) 1).put(big ? 18 : 10, (byte) 7);
      Files.write(trace.resolve("stream"), bytes.array());
      assertThat(Converted.read(convert()).events())
          .containsExactly(
              "stream: 0 ctf.bits a=5 b=-3 c=2800862 f=1.5 n=258 large=18446744073709551623");
    }
  }

  @Test
  void metadataOfCtf2() throws Exception {
    String text =
        """
        {"type":"preamble","version":2}
        {"type":"trace-class","environment":{"tracer_name":"mine"},
         "packet-header-field-class":{"type":"structure","member-classes":[
          {"name":"m","field-class":{"type":"fixed-length-unsigned-integer","length":32,
           "byte-order":"little-endian","alignment":8,"roles":["packet-magic-number"]}}]}}
        {"type":"clock-class","name":"c","frequency":1000000000,
         "offset-from-origin":{"seconds":1,"cycles":0},"origin":"unix-epoch"}
        {"type":"data-stream-class","default-clock-class-name":"c",
         "event-record-header-field-class":{"type":"structure","member-classes":[
          {"name":"i","field-class":{"type":"variable-length-unsigned-integer",
           "roles":["event-record-class-id"]}},
          {"name":"t","field-class":{"type":"fixed-length-unsigned-integer","length":16,
           "byte-order":"big-endian","roles":["default-clock-timestamp"]}}]}}
        {"type":"event-record-class","id":200,"name":"e","payload-field-class":{"type":"structure",
         "member-classes":[
          {"name":"n","field-class":{"type":"fixed-length-unsigned-integer","length":8,
           "byte-order":"little-endian","mappings":{"few":[[0,3]],"many":[[4,255]]}}},
          {"name":"s","field-class":{"type":"dynamic-length-string",
           "length-field-location":{"path":["n"]}}},
          {"name":"o","field-class":{"type":"optional","selector-field-location":{"path":["n"]},
           "selector-field-ranges":[[2,2]],"field-class":{"type":"null-terminated-string"}}},
          {"name":"v","field-class":{"type":"variant",
           "selector-field-location":{"origin":"event-record-payload","path":["n"]},
           "options":[{"selector-field-ranges":[[0,9]],"field-class":
            {"type":"variable-length-signed-integer"}}]}}]}}
        """;
    Files.writeString(trace.resolve("metadata"), text.replaceAll("(?m)^\\{", "\u001E{"));
    Bytes bytes = new Bytes().number(4, 0xC1FC1FC1L);
    bytes.u8(0xC8, 1, 0x01, 0x00, 2).u8('h', 'i').text("there").u8(0x7F);
    Files.write(trace.resolve("stream"), bytes.out.toByteArray());
    Converted read = Converted.read(convert());
    assertThat(read.events()).containsExactly("stream: 0 mine.e n=few s=hi o=\"there\" v=-1");
    assertThat(read.notices()).contains("imported from CTF 2: file=trace events=1");
  }

  @Test
  void kernelEventsHaveTheKernelsNames() throws Exception {
    Files.writeString(
        trace.resolve("metadata"),
        """
        /* CTF 1.8 */
        typealias integer { size = 32; align = 8; signed = true; } := int;
        typealias integer { size = 64; align = 8; signed = true; } := long;
        typealias integer { size = 8; align = 8; encoding = UTF8; } := char;
        trace { major = 1; minor = 8; byte_order = le; };
        env { domain = "kernel"; kernel_release = "6.1.0"; };
        clock { name = c; };
        stream {
          packet.context := struct { int cpu_id; };
          event.header := struct {
            integer { size = 32; align = 8; } id;
            integer { size = 64; align = 8; map = clock.c.value; } timestamp;
          };
        };
        event { id = 0; name = sched_switch; fields := struct {
          char _prev_comm[16]; int _prev_tid; int _prev_prio; long _prev_state;
          char _next_comm[16]; int _next_tid; int _next_prio; }; };
        event { id = 1; name = syscall_entry_read; fields := struct { int _fd; }; };
        """);
    Bytes bytes = new Bytes().number(4, 0);
    bytes.number(4, 0).number(8, 1000);
    bytes.number(8, 'a').number(8, 0).number(4, 11).number(4, 0).number(8, 1);
    bytes.number(8, 'b').number(8, 0).number(4, 12).number(4, 0);
    bytes.number(4, 1).number(8, 2000).number(4, 3);
    Files.write(trace.resolve("channel0_0"), bytes.out.toByteArray());
    Converted read = Converted.read(convert());
    assertThat(read.notices()).anyMatch(text -> text.startsWith("imported as kernel events: 2"));
    assertThat(read.tracks()).contains("CPU 0");
  }

  @Tag("formats")
  @Test
  void mutantsAreReadOrRefused() throws Exception {
    Files.writeString(trace.resolve("metadata"), UST);
    Files.write(trace.resolve("channel_0"), stream());
    assertThat(Mutants.importMany(new CtfFormat(), trace, "metadata", "channel_0", "channel_0"))
        .isBetween(Mutants.MANY / 10, Mutants.MANY - 1);
  }

  @Test
  void whatIsNestedTooDeepIsRefused() throws Exception {
    Files.writeString(
        trace.resolve("metadata"),
        "/* CTF 1.8 */ trace { major = 1; minor = 8; byte_order = le; }; "
            + "struct { ".repeat(100_000));
    assertThatThrownBy(this::convert)
        .isInstanceOf(ForeignException.class)
        .hasMessage(
            "blocks nest too deep: file=%s line=1 max=100".formatted(trace.resolve("metadata")));
  }
}
