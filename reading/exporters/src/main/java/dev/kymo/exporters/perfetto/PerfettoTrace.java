package dev.kymo.exporters.perfetto;

import dev.kymo.exporters.bytes.BytesOut;
import dev.kymo.exporters.bytes.ProtoOut;
import dev.kymo.exporters.source.EndedCall;
import dev.kymo.exporters.source.EventData;
import dev.kymo.exporters.source.ExportSink;
import dev.kymo.exporters.source.ExportSource;
import dev.kymo.exporters.source.ExportTrack;
import dev.kymo.exporters.source.ExportWords;
import dev.kymo.exporters.source.Facts;
import dev.kymo.exporters.source.TrackIds;
import dev.kymo.format.EventKind;
import dev.kymo.model.definitions.TrackKind;
import java.util.BitSet;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Writes one trace: a packet for each event, all in one sequence. */
final class PerfettoTrace {
  private static final int SEQUENCE = 1;

  /** Numbers of tracks: one for facts, then processes, tracks, and counters of tracks. */
  private static final long ABOUT = 1;

  private static final long PROCESSES = 1L << 32;
  private static final long TRACKS = 2L << 32;
  private static final long COUNTERS = 1L << 56;

  private final ExportSource source;
  private final BytesOut out;
  private final TrackIds ids;
  private final Notes notes = new Notes();
  private final ProtoOut packet = new ProtoOut();
  private final ProtoOut event = new ProtoOut();
  private final ProtoOut inner = new ProtoOut();
  private final ProtoOut innermost = new ProtoOut();

  /** Which methods have a name: twice their number for calls, and one more for states. */
  private final BitSet named = new BitSet();

  private final Set<Long> counters = new HashSet<>();
  private long flows;
  private long wakeUps;

  PerfettoTrace(ExportSource source, BytesOut out) {
    this.source = source;
    this.out = out;
    this.ids = new TrackIds(source);
  }

  long wakeUps() {
    return wakeUps;
  }

  void write() {
    head();
    source.tracks().forEach(this::track);
    source.messages((sent, received, sender, receiver, number) ->
        flow(source.method(number).qualifiedName(), "message", sender, sent, receiver, received));
  }

  private void head() {
    packet.clear().number(Fields.PACKET_SEQUENCE, SEQUENCE);
    packet.number(Fields.PACKET_FLAGS, Fields.NAMES_BEGIN);
    inner.clear();
    clock(Fields.BOOTTIME, 0);
    clock(Fields.REALTIME, Facts.wallBegin(source));
    packet.message(Fields.PACKET_CLOCKS, inner).writeTo(out, Fields.PACKET);
    inner.clear().number(Fields.TRACK_UUID, ABOUT).text(Fields.TRACK_NAME, "About the recording");
    descriptor();
    ids.pids().forEach(this::process);
    instant(ABOUT, "kymo", source.pass().recording().name());
    for (Facts.Fact fact : Facts.of(source)) {
      notes.text(event, fact.name(), fact.value());
    }
    finish(0);
  }

  private void clock(int id, long time) {
    innermost.clear().number(Fields.CLOCK_ID, id).number(Fields.CLOCK_TIME, time);
    inner.message(Fields.CLOCK, innermost);
  }

  /** Writes the description of a track, which is in {@link #inner}. */
  private void descriptor() {
    packet.clear().number(Fields.PACKET_SEQUENCE, SEQUENCE);
    packet.message(Fields.PACKET_TRACK, inner).writeTo(out, Fields.PACKET);
  }

  private void process(int process, int pid) {
    String name =
        source.definitions().processes().stream()
            .filter(p -> p.process() == process)
            .map(ExportWords::name)
            .findFirst()
            .orElse("process " + process);
    innermost.clear().number(Fields.PROCESS_PID, pid).text(Fields.PROCESS_NAME, name);
    inner.clear().number(Fields.TRACK_UUID, PROCESSES + process);
    inner.message(Fields.TRACK_PROCESS, innermost);
    descriptor();
  }

  private static long uuid(ExportTrack track) {
    return TRACKS + track.number();
  }

  private void track(ExportTrack track) {
    inner.clear().number(Fields.TRACK_UUID, uuid(track));
    if (track.kind() == TrackKind.CALLS) {
      innermost.clear().number(Fields.THREAD_PID, ids.pid(track));
      innermost.number(Fields.THREAD_TID, ids.tid(track));
      innermost.text(Fields.THREAD_NAME, track.title());
      inner.message(Fields.TRACK_THREAD, innermost);
    } else {
      long parent = track.of() < 0 ? PROCESSES + track.process() : TRACKS + track.of();
      inner.number(Fields.TRACK_PARENT, parent).text(Fields.TRACK_NAME, track.title());
    }
    descriptor();
    for (ExportSource.Loss loss : source.losses(track)) {
      instant(uuid(track), "lost", ExportWords.loss(loss));
      notes.number(event, "until_ns", loss.to());
      if (loss.count() >= 0) {
        notes.number(event, "events", loss.count());
      }
      finish(loss.from());
    }
    source.walk(track, new Row(track));
  }

  private void begin(int type, long uuid) {
    event.clear().number(Fields.EVENT_TYPE, type).number(Fields.EVENT_TRACK, uuid);
  }

  private void instant(long uuid, String category, String name) {
    begin(Fields.INSTANT, uuid);
    event.text(Fields.EVENT_CATEGORY, category).text(Fields.EVENT_NAME, name);
  }

  private void finish(long time) {
    head(time);
    packet.message(Fields.PACKET_EVENT, event).writeTo(out, Fields.PACKET);
  }

  private void head(long time) {
    packet.clear().number(Fields.PACKET_TIME, time).number(Fields.PACKET_SEQUENCE, SEQUENCE);
    packet.number(Fields.PACKET_FLAGS, Fields.NAMES_NEEDED);
  }

  private void flow(
      String name, String category, ExportTrack from, long sent, ExportTrack to, long received) {
    flows++;
    instant(uuid(from), category, name);
    event.fixed64(Fields.EVENT_FLOW, flows);
    finish(sent);
    instant(uuid(to), category, name);
    event.fixed64(Fields.EVENT_LAST_OF_FLOW, flows);
    finish(received);
  }

  private final class Row implements ExportSink {
    private final ExportTrack track;
    private final int odd;

    Row(ExportTrack track) {
      this.track = track;
      this.odd = track.kind() == TrackKind.CALLS ? 0 : 1;
    }

    @Override
    public void begin(long time, int method, @Nullable EventData data) {
      int key = 2 * method + odd;
      PerfettoTrace.this.begin(Fields.BEGIN, uuid(track));
      event.number(Fields.EVENT_NAME_ID, key + 1L);
      if (data != null) {
        notes.data(event, data);
      }
      head(time);
      if (!named.get(key)) {
        named.set(key);
        innermost.clear().number(Fields.NAME_ID, key + 1L);
        innermost.text(Fields.NAME, ExportWords.name(track.kind(), source.method(method)));
        inner.clear().message(Fields.NAMES, innermost);
        packet.message(Fields.PACKET_INTERNED, inner);
      }
      packet.message(Fields.PACKET_EVENT, event).writeTo(out, Fields.PACKET);
    }

    @Override
    public void end(EndedCall call) {
      PerfettoTrace.this.begin(Fields.END, uuid(track));
      if (call.isPlain()) {
        finish(call.end());
        return;
      }
      ExportTrack waker = source.waker(track, call).orElse(null);
      notes.end(event, call, waker == null ? "" : waker.title());
      finish(call.end());
      if (waker != null) {
        wakeUps++;
        String what = source.arrow(track, call).name().toLowerCase(Locale.ROOT);
        flow(what, what, waker, call.end(), track, call.end());
      }
    }

    @Override
    public void event(long time, EventData data) {
      if (data.event().isCounter()) {
        counter(time, data);
        return;
      }
      String kind = EventKind.word(data.event().kind());
      instant(uuid(track), kind.isEmpty() ? "event" : kind, data.event().qualifiedName());
      notes.data(event, data);
      finish(time);
    }

    private void counter(long time, EventData data) {
      long uuid = COUNTERS + ((long) track.number() << 24) + data.event().number();
      if (counters.add(uuid)) {
        innermost.clear();
        inner.clear().number(Fields.TRACK_UUID, uuid).number(Fields.TRACK_PARENT, uuid(track));
        inner.text(Fields.TRACK_NAME, data.event().qualifiedName());
        inner.message(Fields.TRACK_COUNTER, innermost);
        descriptor();
      }
      PerfettoTrace.this.begin(Fields.COUNTER, uuid);
      Number value = data.number();
      if (value instanceof Double || value instanceof Float) {
        PerfettoTrace.this.event.real(Fields.EVENT_REAL, value.doubleValue());
      } else {
        PerfettoTrace.this.event.number(Fields.EVENT_VALUE, value.longValue());
      }
      finish(time);
    }
  }
}
