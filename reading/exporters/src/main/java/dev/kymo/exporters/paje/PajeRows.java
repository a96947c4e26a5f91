package dev.kymo.exporters.paje;

import dev.kymo.exporters.bytes.BytesOut;
import dev.kymo.exporters.source.EndedCall;
import dev.kymo.exporters.source.EventData;
import dev.kymo.exporters.source.ExportSink;
import dev.kymo.exporters.source.ExportSource;
import dev.kymo.exporters.source.ExportTrack;
import dev.kymo.exporters.source.ExportWords;
import dev.kymo.exporters.table.SortedRows;
import dev.kymo.exporters.table.Texts;
import dev.kymo.model.definitions.TrackKind;
import java.io.IOException;
import java.util.BitSet;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Writes what happened, in the order of time over all tracks.
 *
 * <pre>
 *   a row while it waits: time · order · what · track · a value
 *     PUSH: method   POP: -   EVENT, LOSS: text   VARIABLE: text · its event in the sixth number
 *     START, END of a link: text · its key in the sixth number
 * </pre>
 */
final class PajeRows {
  static final int WIDTH = 6;

  private static final int PUSH = 8;
  private static final int POP = 9;
  private static final int EVENT = 10;
  private static final int VARIABLE = 11;
  private static final int START = 12;
  private static final int END = 13;
  private static final int LOSS = 14;

  /** Keys of wake-ups are even, those of messages odd. */
  private static final int KEYS = 2;

  private final ExportSource source;
  private final SortedRows rows;
  private final Texts texts;
  private final BytesOut out;

  /** Which methods have an alias: twice their number for calls, and one more for states. */
  private final BitSet named = new BitSet();

  private final BitSet processors = new BitSet();
  private long order;
  private long wakeUps;
  private long messages;
  private long last;

  PajeRows(ExportSource source, SortedRows rows, Texts texts, BytesOut out) {
    this.source = source;
    this.rows = rows;
    this.texts = texts;
    this.out = out;
  }

  private void add(long time, int what, int track, long value, long more) {
    rows.add(time, order++, what, track, value, more);
  }

  void collect() {
    for (ExportTrack track : source.tracks()) {
      processors.set(track.number(), track.kind() == TrackKind.CPU);
    }
    for (ExportTrack track : source.tracks()) {
      for (ExportSource.Loss loss : source.losses(track)) {
        add(loss.from(), LOSS, track.number(), texts.add(ExportWords.loss(loss)), 0);
      }
      source.walk(track, new Sink(track));
    }
    source.messages((sent, received, sender, receiver, event) -> {
      long key = KEYS * messages++ + 1;
      long text = texts.add(source.method(event).qualifiedName());
      add(sent, START, sender.number(), text, key);
      add(received, END, receiver.number(), text, key);
    });
  }

  private final class Sink implements ExportSink {
    private final ExportTrack track;
    private final int odd;

    Sink(ExportTrack track) {
      this.track = track;
      this.odd = track.kind() == TrackKind.CALLS ? 0 : 1;
    }

    @Override
    public void begin(long time, int method, @Nullable EventData data) {
      named.set(2 * method + odd);
      add(time, PUSH, track.number(), 2L * method + odd, 0);
      if (data != null) {
        event(time, data);
      }
    }

    @Override
    public void end(EndedCall call) {
      EventData data = call.data();
      if (data != null) {
        event(call.end(), data);
      }
      add(call.end(), POP, track.number(), 0, 0);
      if (call.other() != 0) {
        source.waker(track, call).ifPresent(waker -> wakeUp(call, waker));
      }
    }

    private void wakeUp(EndedCall call, ExportTrack waker) {
      if (processors.get(PajeHead.owner(waker))) {
        return; // links join threads
      }
      long key = KEYS * wakeUps++;
      long text = texts.add(source.arrow(track, call).name().toLowerCase(Locale.ROOT));
      add(call.end(), START, waker.number(), text, key);
      add(call.end(), END, track.number(), text, key);
    }

    @Override
    public void event(long time, EventData data) {
      if (data.event().isCounter()) {
        String value = data.number().toString();
        add(time, VARIABLE, track.number(), texts.add(value), data.event().number());
      } else {
        String text = data.event().qualifiedName() + " " + data.text();
        add(time, EVENT, track.number(), texts.add(text.strip()), 0);
      }
    }
  }

  void write() throws IOException {
    named.stream().forEach(this::name);
    rows.forEach(this::row);
  }

  /** Values of a type need an alias for each type that uses them. */
  private void name(int key) {
    TrackKind kind = key % 2 == 0 ? TrackKind.CALLS : TrackKind.STATES;
    String name = PajeText.quoted(ExportWords.name(kind, source.method(key / 2)));
    for (String type : key % 2 == 0 ? new String[] {"F"} : new String[] {"F", "S", "K", "R"}) {
      out.put("5 ").put(type).number(key).put(' ').put(type).put(' ').put(name);
      out.put(" \"").put(color(name)).put("\"\n");
    }
  }

  /** Parts of red, green and blue from the name, the same in each trace. */
  private static String color(String name) {
    int hash = name.hashCode() * 0x9E3779B1;
    return "0.%d 0.%d 0.%d"
        .formatted(3 + (hash >>> 8) % 6, 3 + (hash >>> 16) % 6, 3 + (hash >>> 24) % 6);
  }

  private void row(long[] row) {
    int what = (int) row[2];
    ExportTrack track = source.tracks().get((int) row[3]);
    last = Math.max(last, row[0]);
    out.number(what == LOSS ? EVENT : what).put(' ').fixed(row[0], 9).put(' ');
    switch (what) {
      case PUSH -> state(track).put(' ').put(type(track)).number(row[4]);
      case POP -> state(track);
      case EVENT -> in("E", track).put(PajeText.quoted(texts.get(row[4])));
      case LOSS -> in("L", track).put(PajeText.quoted(texts.get(row[4])));
      case VARIABLE -> in("V" + row[5], track).put(texts.get(row[4]));
      default -> link(row, track);
    }
    out.put('\n');
  }

  private BytesOut in(String type, ExportTrack track) {
    return out.put(type).put(" t").number(PajeHead.owner(track)).put(' ');
  }

  private void link(long[] row, ExportTrack track) {
    out.put(row[5] % 2 == 0 ? "W 0 t" : "M 0 t").number(PajeHead.owner(track)).put(' ');
    out.put(PajeText.quoted(texts.get(row[4]))).put(' ');
    out.put(row[5] % 2 == 0 ? 'w' : 'm').number(row[5] / 2);
  }

  private BytesOut state(ExportTrack track) {
    return out.put(type(track)).put(" t").number(PajeHead.owner(track));
  }

  private static String type(ExportTrack track) {
    return switch (track.kind()) {
      case CALLS, JVM -> "F";
      case STATES -> "S";
      case SCHEDULED -> "K";
      case CPU -> "R";
    };
  }

  /** Time of the last thing that happened. */
  long last() {
    return last;
  }

  String summary() {
    return "%d calls and states, %d events and counter values, %d wake-ups, %d messages"
        .formatted(source.exported().calls(), source.exported().events(), wakeUps, messages);
  }
}
