package dev.kymo.exporters.otf2;

import dev.kymo.exporters.otf2.library.Otf2Events;
import dev.kymo.exporters.source.EndedCall;
import dev.kymo.exporters.source.EventData;
import dev.kymo.exporters.source.ExportSink;
import dev.kymo.exporters.source.ExportSource;
import dev.kymo.exporters.source.ExportSource.Loss;
import dev.kymo.exporters.source.ExportTrack;
import dev.kymo.exporters.source.ExportWords;
import dev.kymo.format.EventKind;
import dev.kymo.format.FieldType;
import dev.kymo.model.definitions.TracedEvent;
import dev.kymo.model.definitions.TrackKind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes what one track did as the events of a location. Its times never go back: a call of which
 * only the end is known begins after what was written before. User events are regions that take no
 * time, with their data as an attribute, and so are losses.
 */
final class LocationSink implements ExportSink {
  /** Key of the region of losses; those of methods are even and odd numbers above it. */
  static final int LOST = 0;

  private final ExportSource source;
  private final ExportTrack track;
  private final Otf2Events writer;
  private final Messages messages;
  private final Strings strings;
  private final Numbers regions;
  private final Numbers metrics;
  private final int odd;
  private final List<Loss> losses = new ArrayList<>();
  private int nextLoss;
  private long last;

  LocationSink(
      ExportSource source,
      ExportTrack track,
      Otf2Events writer,
      Messages messages,
      Strings strings,
      Numbers regions,
      Numbers metrics) {
    this.source = source;
    this.track = track;
    this.writer = writer;
    this.messages = messages;
    this.strings = strings;
    this.regions = regions;
    this.metrics = metrics;
    this.odd = track.kind() == TrackKind.CALLS ? 0 : 1;
  }

  private int region(int method) {
    return regions.of(2 + 2 * method + odd);
  }

  void lost(List<Loss> all) {
    losses.addAll(all);
    losses.sort(Comparator.comparingLong(Loss::from));
  }

  private long at(long time) {
    while (nextLoss < losses.size() && losses.get(nextLoss).from() <= time) {
      lose(losses.get(nextLoss++));
    }
    last = Math.max(last, time);
    return last;
  }

  private void lose(Loss loss) {
    last = Math.max(last, loss.from());
    int region = regions.of(LOST);
    String text = ExportWords.loss(loss) + " until " + loss.to() + " ns";
    writer.attribute(Otf2Trace.DATA, strings.ofEvent(text));
    writer.enter(last, region);
    writer.leave(last, region);
  }

  /** Nothing follows. */
  void finish() {
    while (nextLoss < losses.size()) {
      lose(losses.get(nextLoss++));
    }
  }

  long last() {
    return last;
  }

  private void attribute(int attribute, String text) {
    if (!text.isEmpty()) {
      writer.attribute(attribute, strings.ofEvent(text));
    }
  }

  @Override
  public void begin(long time, int method, @Nullable EventData data) {
    long at = at(time);
    if (data != null) {
      attribute(Otf2Trace.DATA, data.text());
    }
    writer.enter(at, region(method));
  }

  @Override
  public void end(EndedCall call) {
    long at = at(call.end());
    if (!call.isPlain()) {
      attribute(Otf2Trace.FLAGS, ExportWords.flags(call.flags()));
      attribute(Otf2Trace.OBJECT, call.object() == 0 ? "" : Integer.toHexString(call.object()));
      attribute(Otf2Trace.BY, source.waker(track, call).map(ExportTrack::title).orElse(""));
      EventData data = call.data();
      attribute(Otf2Trace.DATA, data == null ? "" : data.text());
    }
    writer.leave(at, region(call.method()));
  }

  @Override
  public void event(long time, EventData data) {
    long at = at(time);
    TracedEvent event = data.event();
    if (event.isCounter()) {
      writer.metric(at, metrics.of(event.number()), type(event), bits(data));
      return;
    }
    attribute(Otf2Trace.DATA, data.text());
    writer.enter(at, region(event.number()));
    boolean sent = EventKind.SEND.is(event.kind());
    if (sent || EventKind.RECEIVE.is(event.kind())) {
      Messages.Other other = messages.other(track, time, sent);
      if (other != null && sent) {
        writer.send(at, other.place(), 0, other.tag());
      } else if (other != null) {
        writer.receive(at, other.place(), 0, other.tag());
      }
    }
    writer.leave(at, region(event.number()));
  }

  static byte type(TracedEvent event) {
    if (event.fields().list().isEmpty()) {
      return Otf2Events.TYPE_INT64;
    }
    FieldType type = event.fields().list().getFirst().type();
    if (type == FieldType.U64) {
      return Otf2Events.TYPE_UINT64;
    }
    boolean real = type == FieldType.F32 || type == FieldType.F64;
    return real ? Otf2Events.TYPE_DOUBLE : Otf2Events.TYPE_INT64;
  }

  private static long bits(EventData data) {
    Object value = data.values().isEmpty() ? (Object) data.argument() : data.values().getFirst();
    return switch (value) {
      case Boolean yes -> yes ? 1 : 0;
      case Number number when type(data.event()) == Otf2Events.TYPE_DOUBLE ->
          Double.doubleToRawLongBits(number.doubleValue());
      case Number number -> number.longValue();
      default -> 0;
    };
  }
}
