package dev.kymo.exporters.chrome;

import dev.kymo.exporters.bytes.BytesOut;
import dev.kymo.exporters.bytes.Json;
import dev.kymo.exporters.source.EndedCall;
import dev.kymo.exporters.source.EventData;
import dev.kymo.exporters.source.ExportWords;
import dev.kymo.format.FieldType;

/** Further facts of an event of the trace: its {@code args}. */
final class ChromeArgs {
  private final BytesOut out;
  private boolean first;

  ChromeArgs(BytesOut out) {
    this.out = out;
  }

  ChromeArgs begin() {
    out.put(",\"args\":{");
    first = true;
    return this;
  }

  void end() {
    out.put('}');
  }

  /** One of them; the value is JSON. */
  ChromeArgs put(String name, String json) {
    if (!first) {
      out.put(',');
    }
    first = false;
    out.put(Json.bytes(name)).put(':').put(json);
    return this;
  }

  ChromeArgs put(EventData data) {
    if (data.values().isEmpty() && data.argument() != 0) {
      put("argument", Long.toString(data.argument()));
    }
    for (int i = 0; i < data.values().size(); i++) {
      put(data.field(i), value(data, i));
    }
    return this;
  }

  private static String value(EventData data, int field) {
    Object value = data.values().get(field);
    boolean unsigned = data.event().fields().list().get(field).type() == FieldType.U64;
    return switch (value) {
      case Long number when unsigned -> Long.toUnsignedString(number);
      case Number number -> Json.number(number);
      case Boolean yes -> yes.toString();
      case String text -> Json.quoted(text);
      default -> Json.quoted(data.text(field));
    };
  }

  ChromeArgs put(EndedCall call, String waker) {
    String flags = ExportWords.flags(call.flags());
    if (!flags.isEmpty()) {
      put("kymo.flags", Json.quoted(flags));
    }
    if (call.object() != 0) {
      put("kymo.object", Json.quoted(Integer.toHexString(call.object())));
    }
    if (!waker.isEmpty()) {
      put("kymo.by", Json.quoted(waker));
    }
    EventData data = call.data();
    return data == null ? this : put(data);
  }
}
