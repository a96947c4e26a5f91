package dev.kymo.instructions.listing;

import dev.kymo.instructions.InstructionFiles;
import dev.kymo.instructions.trace.Chunk;
import dev.kymo.instructions.trace.ChunkFile;
import dev.kymo.instructions.trace.DetailFiles;
import dev.kymo.instructions.trace.ProcessFacts;
import dev.kymo.instructions.trace.ProcessTrace;
import dev.kymo.instructions.trace.Varints;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;

/**
 * Values that somebody asked for at chosen instructions, and threads that were ready to run at each
 * switch, as replays have written them: files {@code data-N}. Beside each there is {@code
 * data-N.places}, with a line {@code at NAME} for each place by its number from 1, and after it
 * {@code value NAME} for each of its values.
 *
 * <p>A record is a varint by how much the clock differs from the record before; varint place, 0: a
 * switch; varint number of the kernel's thread; u8 values; for each u8 what it is: 0 a varint, 1 a
 * text, u8 length and its bytes, 2 memory that is not there.
 */
final class DataTrace {
  private static final int NUMBER = 0;
  private static final int TEXT = 1;
  private static final int MISSING = 2;
  private static final int MAX_PLACES_SIZE = 1 << 20;
  private static final int SMALLEST_TEXT = ' ';
  private static final int DELETE = 0x7F;

  private final InstructionFiles files;
  private final DetailFiles data;
  private final TreeMap<Long, List<Runner>> runners = new TreeMap<>();

  /** A thread of a process, from a clock on. */
  record Runner(long clock, int process, int thread, int tid, String name) {}

  /** What is asked for at a place. */
  private record Place(String name, List<String> values) {}

  DataTrace(InstructionFiles files, Iterable<ProcessTrace> processes) throws IOException {
    this.files = files;
    this.data = DetailFiles.open(files, "data");
    for (ProcessTrace process : processes) {
      for (ProcessFacts.ThreadFact thread : process.facts().threads().values()) {
        runners
            .computeIfAbsent((long) thread.tid(), _ -> new ArrayList<>())
            .add(
                new Runner(
                    thread.clock(),
                    process.number(),
                    thread.thread(),
                    thread.tid(),
                    thread.name()));
      }
    }
    runners.values().forEach(all -> all.sort(Comparator.comparingLong(Runner::clock)));
  }

  /**
   * The lines of a range, by clock.
   *
   * @param from clock
   * @param to clock that is not wanted any more
   * @throws IOException if they are damaged
   */
  List<ListedInstruction> lines(long from, long to) throws IOException {
    List<ListedInstruction> lines = new ArrayList<>();
    for (ChunkFile file : data.files()) {
      List<Place> places = places(file.name() + ".places");
      DetailFiles.read(
          file, from, to - 1, (records, chunk) -> read(records, chunk, places, from, to, lines));
    }
    lines.sort(Comparator.comparingLong(ListedInstruction::clock));
    return lines;
  }

  private List<Place> places(String name) throws IOException {
    List<Place> places = new ArrayList<>();
    if (!files.names().contains(name)) {
      return places;
    }
    int size = (int) Math.min(files.size(name), MAX_PLACES_SIZE);
    String text = StandardCharsets.UTF_8.decode(files.read(name, 0, size)).toString();
    for (String line : text.lines().toList()) {
      if (line.startsWith("at ")) {
        places.add(new Place(line.substring("at ".length()), new ArrayList<>()));
      } else if (line.startsWith("value ") && !places.isEmpty()) {
        places.getLast().values.add(line.substring("value ".length()));
      }
    }
    return places;
  }

  private void read(
      byte[] records,
      Chunk chunk,
      List<Place> places,
      long from,
      long to,
      List<ListedInstruction> lines)
      throws IOException {
    Varints varints = new Varints(records);
    long clock = chunk.begin();
    while (varints.hasMore()) {
      clock += varints.varint();
      if (clock < chunk.begin()) {
        throw varints.damaged();
      }
      int number = varints.small();
      int tid = (int) varints.varint();
      boolean wanted = clock >= from && clock < to;
      String text = number == 0 ? ready(varints, clock) : values(varints, places, number, wanted);
      if (wanted) {
        Runner runner = runner(tid, clock);
        ListedInstruction.Kind kind =
            number == 0 ? ListedInstruction.Kind.READY : ListedInstruction.Kind.DATA;
        lines.add(ListedInstruction.event(clock, runner.process, runner.thread, text, kind));
      }
    }
  }

  /** The thread with a number of the kernel's, at a time. */
  private Runner runner(int tid, long clock) {
    Runner found = new Runner(0, 1, 1, tid, "");
    for (Runner each : runners.getOrDefault((long) tid, List.of())) {
      if (each.clock <= clock || found.name.isEmpty()) {
        found = each;
      }
    }
    return found;
  }

  private String ready(Varints varints, long clock) throws IOException {
    int count = varints.single();
    StringBuilder text = new StringBuilder("ready:");
    for (int i = 0; i < count; i++) {
      if (varints.single() != NUMBER) {
        throw varints.damaged();
      }
      Runner runner = runner((int) varints.varint(), clock);
      text.append(' ').append(runner.name).append('/').append(runner.tid);
    }
    return count == 0 ? "ready: none" : text.toString();
  }

  private static String values(Varints varints, List<Place> places, int number, boolean wanted)
      throws IOException {
    Place place = number <= places.size() ? places.get(number - 1) : new Place("", List.of());
    int count = varints.single();
    StringBuilder text = new StringBuilder(place.name);
    for (int i = 0; i < count; i++) {
      String value = value(varints);
      if (wanted) {
        text.append(text.isEmpty() ? "" : " ");
        text.append(i < place.values.size() ? place.values.get(i) : "value").append('=');
        text.append(value);
      }
    }
    return text.toString();
  }

  private static String value(Varints varints) throws IOException {
    return switch (varints.single()) {
      case NUMBER -> InstructionListing.shown(varints.varint());
      case TEXT -> quoted(varints.bytes(varints.single()));
      case MISSING -> "not there";
      default -> throw varints.damaged();
    };
  }

  private static String quoted(byte[] bytes) {
    StringBuilder text = new StringBuilder("\"");
    String decoded = new String(bytes, StandardCharsets.UTF_8);
    for (int i = 0; i < decoded.length(); i++) {
      char next = decoded.charAt(i);
      if (next < SMALLEST_TEXT || next == DELETE) {
        text.append("\\x%02x".formatted((int) next));
      } else {
        text.append(next == '"' || next == '\\' ? "\\" : "").append(next);
      }
    }
    return text.append('"').toString();
  }
}
