package dev.kymo.exporters.perfetto;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.exporters.bytes.Wire;
import dev.kymo.exporters.source.MadeUp;
import dev.kymo.exporters.source.ModelCalls;
import dev.kymo.exporters.source.Tools;
import dev.kymo.reader.Recording;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The numbers of fields are here once more, written down from Perfetto's own definitions. */
class PerfettoFormatTest {
  @TempDir Path directory;

  private Path export(Path recording) throws IOException {
    Path to = Files.createTempFile(directory, "trace", ".pftrace");
    try (Recording open = Recording.open(recording)) {
      new PerfettoExport().write(MadeUp.open(open), to);
    }
    return to;
  }

  private static List<Wire> packets(Path file) throws IOException {
    return Wire.of(Files.readAllBytes(file)).messages(1);
  }

  private static Map<Long, String> tracks(List<Wire> packets) {
    Map<Long, String> names = new HashMap<>();
    for (Wire packet : packets) {
      if (packet.has(60)) {
        Wire track = packet.message(60);
        names.put(track.number(1), track.has(4) ? track.message(4).text(5) : track.text(2));
      }
    }
    return names;
  }

  private static List<String> calls(List<Wire> packets) {
    Map<Long, String> tracks = tracks(packets);
    Map<Long, String> names = new HashMap<>();
    Map<Long, List<Wire>> stacks = new HashMap<>();
    List<String> lines = new ArrayList<>();
    for (Wire packet : packets) {
      packet.message(12).messages(2).forEach(name -> names.put(name.number(1), name.text(2)));
      Wire event = packet.message(11);
      long track = event.number(11);
      if (event.number(9) == 1) {
        stacks.computeIfAbsent(track, t -> new ArrayList<>()).add(packet);
      } else if (event.number(9) == 2) {
        Wire begin = stacks.getOrDefault(track, new ArrayList<>()).removeLast();
        String name = names.getOrDefault(begin.message(11).number(10), "?");
        lines.add(
            ModelCalls.line(
                tracks.getOrDefault(track, "?"), name, begin.number(8), packet.number(8)));
      }
    }
    assertThat(stacks.values()).allMatch(List::isEmpty);
    Collections.sort(lines);
    return lines;
  }

  @Test
  void callsAndTimesAreThoseOfTheModel() throws IOException {
    for (Path recording : MadeUp.all(directory).toList()) {
      assertThat(calls(packets(export(recording)))).isEqualTo(MadeUp.calls(recording));
    }
  }

  @Test
  void everythingElseIsThere() throws IOException {
    List<Wire> packets = packets(export(MadeUp.everything(directory)));
    Map<Long, String> tracks = tracks(packets);
    List<String> instants = new ArrayList<>();
    List<String> counters = new ArrayList<>();
    Map<Long, String> flows = new HashMap<>();
    for (Wire packet : packets) {
      Wire event = packet.message(11);
      String track = tracks.getOrDefault(event.number(11), "?");
      if (event.number(9) == 3) {
        instants.add(event.text(22) + ' ' + event.text(23) + ' ' + packet.number(8));
        long flow = event.number(47) + event.number(48);
        flows.merge(flow, track + ' ' + packet.number(8), (a, b) -> a + " -> " + b);
      } else if (event.number(9) == 4) {
        String value =
            event.has(44)
                ? Double.toString(Double.longBitsToDouble(event.number(44)))
                : Long.toString(event.number(30));
        counters.add(track + ' ' + packet.number(8) + ' ' + value);
      }
    }
    assertThat(counters)
        .containsExactly("shop.STOCK 150 1.8446744073709552E19", "shop.STOCK 260 12");
    assertThat(instants)
        .contains(
            "kymo everything.kymo 0",
            "send shop.ASK 200",
            "instant shop.SOLD 400",
            "lost lost 5 events 2000");
    assertThat(flows.values())
        .contains("main 200 -> worker \"q\"\n 250", "worker \"q\"\n 290 -> main (waits) 290");
  }

  @Test
  @Tag("peer")
  void protocReadsIt() throws IOException {
    Tools.assume("protoc", "protobuf-compiler");
    Path schema = directory.resolve("trace.proto");
    Files.writeString(
        schema,
        """
        syntax = "proto2";
        message Trace { repeated TracePacket packet = 1; }
        message TracePacket {
          optional ClockSnapshot clock_snapshot = 6; optional uint64 timestamp = 8;
          optional uint32 trusted_packet_sequence_id = 10; optional TrackEvent track_event = 11;
          optional InternedData interned_data = 12; optional uint32 sequence_flags = 13;
          optional TrackDescriptor track_descriptor = 60;
        }
        message ClockSnapshot { repeated Clock clocks = 1; }
        message Clock { optional uint32 clock_id = 1; optional uint64 timestamp = 2; }
        message InternedData { repeated EventName event_names = 2; }
        message EventName { optional uint64 iid = 1; optional string name = 2; }
        message TrackDescriptor {
          optional uint64 uuid = 1; optional string name = 2; optional Process process = 3;
          optional Thread thread = 4; optional uint64 parent_uuid = 5; optional Counter counter = 8;
        }
        message Process { optional int32 pid = 1; optional string process_name = 6; }
        message Thread {
          optional int32 pid = 1; optional int32 tid = 2; optional string thread_name = 5;
        }
        message Counter {}
        message TrackEvent {
          enum Type { NONE = 0; SLICE_BEGIN = 1; SLICE_END = 2; INSTANT = 3; COUNTER = 4; }
          repeated Note debug_annotations = 4; optional Type type = 9; optional uint64 name_iid = 10;
          optional uint64 track_uuid = 11; repeated string categories = 22;
          optional string name = 23; optional int64 counter_value = 30;
          optional double double_counter_value = 44; repeated fixed64 flow_ids = 47;
          repeated fixed64 terminating_flow_ids = 48;
        }
        message Note {
          optional bool bool_value = 2; optional uint64 uint_value = 3; optional int64 int_value = 4;
          optional double double_value = 5; optional string string_value = 6;
          optional string name = 10;
        }
        """);
    for (Path recording : MadeUp.all(directory).toList()) {
      String text =
          Tools.run(
              export(recording),
              List.of("protoc", "--proto_path=" + directory, "--decode=Trace", schema.toString()));
      assertThat(text.lines().filter(line -> line.strip().equals("type: SLICE_BEGIN")))
          .hasSameSizeAs(MadeUp.calls(recording));
      assertThat(text.lines()).noneMatch(line -> line.matches("\\s*\\d+[:{ ].*"));
    }
  }
}
