package dev.kymo.exporters.chrome;

import dev.kymo.exporters.bytes.BytesOut;
import dev.kymo.exporters.bytes.Json;
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
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Writes one trace. */
final class ChromeTrace {
  private static final int MICROS = 3;
  private static final byte[] BEGIN = bytes(",\n{\"ph\":\"B\"");
  private static final byte[] END = bytes(",\n{\"ph\":\"E\"");

  private final ExportSource source;
  private final BytesOut out;
  private final TrackIds ids;
  private final ChromeArgs args;

  /** By method, the member with its name, as it is on tracks like the one before. */
  private byte[] @Nullable [] names;

  private boolean ofCalls = true;
  private long flows;
  private long wakeUps;
  private long counterValues;

  ChromeTrace(ExportSource source, BytesOut out) {
    this.source = source;
    this.out = out;
    this.ids = new TrackIds(source);
    this.args = new ChromeArgs(out);
    this.names = new byte[source.methods()][];
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  long wakeUps() {
    return wakeUps;
  }

  long counterValues() {
    return counterValues;
  }

  void write() {
    out.put("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n");
    out.put("{\"ph\":\"M\",\"pid\":0,\"name\":\"trace_format\",\"args\":{\"name\":\"Kymo\"}}");
    ids.pids()
        .forEach((process, pid) -> {
          String name =
              source.definitions().processes().stream()
                  .filter(p -> p.process() == process)
                  .map(ExportWords::name)
                  .findFirst()
                  .orElse("process " + process);
          metadata("process_name", pid, 0, Json.quoted(name));
        });
    source.tracks().forEach(this::track);
    source.messages((sent, received, sender, receiver, event) ->
        flow("message", source.method(event).qualifiedName(), sender, sent, receiver, received));
    out.put("\n],\n\"otherData\":{");
    facts();
    out.put("\n}}\n");
  }

  private void metadata(String what, int pid, int tid, String json) {
    out.put(",\n{\"ph\":\"M\",\"pid\":").number(pid).put(",\"tid\":").number(tid);
    out.put(",\"name\":\"").put(what).put("\"");
    args.begin().put(what.endsWith("index") ? "sort_index" : "name", json).end();
    out.put('}');
  }

  /** Members must have different names: a number tells lines of one name apart. */
  private void facts() {
    int number = 0;
    for (Facts.Fact fact : Facts.of(source)) {
      out.put(number == 0 ? "\n" : ",\n");
      out.put(Json.bytes(++number + " " + fact.name())).put(':').put(Json.bytes(fact.value()));
    }
  }

  private void track(ExportTrack track) {
    boolean calls = track.kind() == TrackKind.CALLS;
    if (calls != ofCalls) {
      Arrays.fill(names, null);
      ofCalls = calls;
    }
    int pid = ids.pid(track);
    int tid = ids.tid(track);
    metadata("thread_name", pid, tid, Json.quoted(track.title()));
    metadata("thread_sort_index", pid, tid, Integer.toString(TrackIds.order(track)));
    Row row = new Row(track);
    source.losses(track).forEach(row::lost);
    source.walk(track, row);
  }

  private byte[] name(TrackKind kind, int method) {
    if (method >= names.length) {
      names = Arrays.copyOf(names, Math.max(method + 1, source.methods()));
    }
    byte[] known = names[method];
    if (known == null) {
      known = bytes(",\"name\":" + Json.quoted(ExportWords.name(kind, source.method(method))));
      names[method] = known;
    }
    return known;
  }

  private void flow(
      String category, String name, ExportTrack from, long sent, ExportTrack to, long received) {
    flows++;
    flowEnd("s\"", category, name, from, sent);
    flowEnd("f\",\"bp\":\"e\"", category, name, to, received);
  }

  private void flowEnd(String phase, String category, String name, ExportTrack of, long time) {
    out.put(",\n{\"ph\":\"").put(phase);
    out.put(",\"pid\":").number(ids.pid(of)).put(",\"tid\":").number(ids.tid(of));
    out.put(",\"ts\":").fixed(time, MICROS).put(",\"id\":").number(flows);
    out.put(",\"cat\":").put(Json.bytes(category)).put(",\"name\":").put(Json.bytes(name));
    out.put('}');
  }

  private final class Row implements ExportSink {
    private final ExportTrack track;
    private final byte[] place;

    Row(ExportTrack track) {
      this.track = track;
      this.place = bytes(",\"pid\":" + ids.pid(track) + ",\"tid\":" + ids.tid(track) + ",\"ts\":");
    }

    void lost(ExportSource.Loss loss) {
      instant("lost", ExportWords.loss(loss), loss.from());
      args.begin().put("until_ns", Long.toString(loss.to()));
      if (loss.count() >= 0) {
        args.put("events", Long.toString(loss.count()));
      }
      args.end();
      out.put('}');
    }

    @Override
    public void begin(long time, int method, @Nullable EventData data) {
      out.put(BEGIN).put(place).fixed(time, MICROS).put(name(track.kind(), method));
      if (data != null) {
        args.begin().put(data).end();
      }
      out.put('}');
    }

    @Override
    public void end(EndedCall call) {
      out.put(END).put(place).fixed(call.end(), MICROS);
      if (call.isPlain()) {
        out.put('}');
        return;
      }
      ExportTrack waker = source.waker(track, call).orElse(null);
      args.begin().put(call, waker == null ? "" : waker.title()).end();
      out.put('}');
      if (waker != null) {
        wakeUps++;
        String what = source.arrow(track, call).name().toLowerCase(Locale.ROOT);
        flow(what, what, waker, call.end(), track, call.end());
      }
    }

    private void instant(String category, String name, long time) {
      out.put(",\n{\"ph\":\"i\",\"s\":\"t\"").put(place).fixed(time, MICROS);
      out.put(",\"cat\":").put(Json.bytes(category)).put(",\"name\":").put(Json.bytes(name));
    }

    @Override
    public void event(long time, EventData data) {
      if (data.event().isCounter()) {
        counterValues++;
        out.put(",\n{\"ph\":\"C\"").put(place).fixed(time, MICROS);
        out.put(",\"id\":").number(ids.tid(track));
        out.put(",\"name\":").put(Json.bytes(data.event().qualifiedName()));
        args.begin().put("value", Json.number(data.number())).end();
      } else {
        String kind = EventKind.word(data.event().kind());
        instant(kind.isEmpty() ? "event" : kind, data.event().qualifiedName(), time);
        args.begin().put(data).end();
      }
      out.put('}');
    }
  }
}
