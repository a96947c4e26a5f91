package dev.kymo.exporters.chrome;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.kymo.analysis.names.ThreadFilter;
import dev.kymo.exporters.source.MadeUp;
import dev.kymo.exporters.source.ModelCalls;
import dev.kymo.exporters.source.Selected;
import dev.kymo.reader.Recording;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChromeFormatTest {
  @TempDir Path directory;

  /** One event of a trace: its members, those of args with a dot, as text. */
  private record Event(Map<String, String> members) {
    String get(String name) {
      return members.getOrDefault(name, "");
    }

    long nanos() {
      return new BigDecimal(get("ts")).movePointRight(3).longValueExact();
    }

    String track() {
      return get("pid") + '/' + get("tid");
    }
  }

  private Path export(Path recording, Selected selected) throws IOException {
    Path to = Files.createTempFile(directory, "trace", ".json");
    try (Recording open = Recording.open(recording)) {
      new ChromeExport().write(MadeUp.open(open, selected), to);
    }
    return to;
  }

  private static List<Event> events(Path file) throws IOException {
    List<Event> events = new ArrayList<>();
    try (JsonParser json =
        new JsonFactory()
            .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
            .createParser(file.toFile())) {
      while (json.nextToken() != JsonToken.START_ARRAY) {
        assertThat(json.currentToken()).isNotNull();
      }
      while (json.nextToken() == JsonToken.START_OBJECT) {
        Map<String, String> members = new HashMap<>();
        object(json, "", members);
        events.add(new Event(members));
      }
      while (json.nextToken() != null) { // to its end
        assertThat(json.currentToken()).isNotEqualTo(JsonToken.NOT_AVAILABLE);
      }
    }
    return events;
  }

  private static void object(JsonParser json, String prefix, Map<String, String> members)
      throws IOException {
    while (json.nextToken() != JsonToken.END_OBJECT) {
      String name = prefix + json.currentName();
      if (json.nextToken() == JsonToken.START_OBJECT) {
        object(json, name + ".", members);
      } else {
        members.put(name, json.getText());
      }
    }
  }

  /** The calls of a trace as lines, sorted; begins and ends must nest in the order of time. */
  private static List<String> calls(List<Event> events) {
    Map<String, String> names = new HashMap<>();
    Map<String, Deque<Event>> stacks = new HashMap<>();
    Map<String, Long> reached = new HashMap<>();
    List<String> lines = new ArrayList<>();
    for (Event event : events) {
      if (event.get("name").equals("thread_name")) {
        names.put(event.track(), event.get("args.name"));
      }
      if (event.get("ph").equals("B") || event.get("ph").equals("E")) {
        assertThat(event.nanos()).isGreaterThanOrEqualTo(reached.getOrDefault(event.track(), 0L));
        reached.put(event.track(), event.nanos());
      }
      Deque<Event> stack = stacks.computeIfAbsent(event.track(), t -> new ArrayDeque<>());
      if (event.get("ph").equals("B")) {
        stack.push(event);
      } else if (event.get("ph").equals("E")) {
        Event begin = stack.pop();
        lines.add(
            ModelCalls.line(
                names.getOrDefault(event.track(), "?"),
                begin.get("name"),
                begin.nanos(),
                event.nanos()));
      }
    }
    assertThat(stacks.values()).allMatch(Deque::isEmpty);
    Collections.sort(lines);
    return lines;
  }

  @Test
  void callsAndTimesAreThoseOfTheModel() throws IOException {
    for (Path recording : MadeUp.all(directory).toList()) {
      List<Event> events = events(export(recording, Selected.all()));
      assertThat(calls(events)).isEqualTo(MadeUp.calls(recording)).isNotEmpty();
    }
  }

  @Test
  void sameBytesAgain() throws IOException {
    Path recording = MadeUp.everything(directory);
    assertThat(export(recording, Selected.all()))
        .hasSameBinaryContentAs(export(recording, Selected.all()));
  }

  @Test
  void everythingElseIsThere() throws IOException {
    List<Event> events = events(export(MadeUp.everything(directory), Selected.all()));
    assertThat(events)
        .filteredOn(e -> e.get("ph").equals("C"))
        .extracting(e -> e.get("name") + ' ' + e.nanos() + ' ' + e.get("args.value"))
        .containsExactly("shop.STOCK 150 1.8446744073709552E19", "shop.STOCK 260 12");
    assertThat(events)
        .filteredOn(e -> e.get("ph").equals("i"))
        .extracting(e -> e.get("cat") + ' ' + e.get("name") + ' ' + e.nanos())
        .containsExactlyInAnyOrder(
            "send shop.ASK 200",
            "receive shop.ASKED 250",
            "instant shop.SOLD 400",
            "instant shop.SIGNED 650",
            "lost lost 5 events 2000");
    assertThat(events)
        .filteredOn(e -> e.get("name").equals("shop.SOLD"))
        .extracting(e -> e.get("args.size") + ' ' + e.get("args.what"))
        .containsExactly("18446744073709551614 tea\u00e9");
    assertThat(events)
        .filteredOn(e -> e.get("name").equals("shop.ORDER"))
        .extracting(e -> e.get("ph") + ' ' + e.get("args.id") + ' ' + e.get("args.who"))
        .containsExactly("B 5 Ann");
    assertThat(events)
        .filteredOn(e -> e.get("ph").equals("E") && !e.get("args.kymo.flags").isEmpty())
        .extracting(e -> e.nanos() + " " + e.get("args.kymo.flags"))
        .contains("600 unwound", "1001 open-begin", "3001 open-end");
  }

  @Test
  void arrowsBindToTheirTracks() throws IOException {
    List<Event> events = events(export(MadeUp.everything(directory), Selected.all()));
    assertThat(events)
        .filteredOn(e -> e.get("ph").equals("s") || e.get("ph").equals("f"))
        .extracting(e -> e.get("cat") + ' ' + e.get("ph") + ' ' + e.track() + ' ' + e.nanos())
        .contains("message s 1001/2001 200", "message f 1001/2002 250", "wait s 1001/2002 290");
  }

  @Test
  void rangeKeepsWholeCallsThatOverlapIt() throws IOException {
    Selected some = new Selected(301, 450, new ThreadFilter(List.of("main")));
    List<Event> events = events(export(MadeUp.everything(directory), some));
    assertThat(calls(events)).containsExactly("main a.Main.run 0 3001", "main shop.ORDER 300 450");
  }
}
