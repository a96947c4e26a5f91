package dev.kymo.exporters.perfetto;

import dev.kymo.exporters.bytes.ProtoOut;
import dev.kymo.exporters.source.EndedCall;
import dev.kymo.exporters.source.EventData;
import dev.kymo.exporters.source.ExportWords;
import dev.kymo.format.FieldType;

/** Further facts of an event: its debug annotations. */
final class Notes {
  private final ProtoOut note = new ProtoOut();

  void text(ProtoOut event, String name, String value) {
    note.clear().text(Fields.NOTE_NAME, name).text(Fields.NOTE_TEXT, value);
    event.message(Fields.EVENT_NOTE, note);
  }

  void number(ProtoOut event, String name, long value) {
    note.clear().text(Fields.NOTE_NAME, name).number(Fields.NOTE_SIGNED, value);
    event.message(Fields.EVENT_NOTE, note);
  }

  void data(ProtoOut event, EventData data) {
    if (data.values().isEmpty() && data.argument() != 0) {
      number(event, "argument", data.argument());
    }
    for (int i = 0; i < data.values().size(); i++) {
      note.clear().text(Fields.NOTE_NAME, data.field(i));
      boolean unsigned = data.event().fields().list().get(i).type() == FieldType.U64;
      switch (data.values().get(i)) {
        case Long value when unsigned -> note.number(Fields.NOTE_UNSIGNED, value);
        case Long value -> note.number(Fields.NOTE_SIGNED, value);
        case Number value -> note.real(Fields.NOTE_REAL, value.doubleValue());
        case Boolean yes -> note.number(Fields.NOTE_BOOL, yes ? 1 : 0);
        default -> note.text(Fields.NOTE_TEXT, data.text(i));
      }
      event.message(Fields.EVENT_NOTE, note);
    }
  }

  void end(ProtoOut event, EndedCall call, String waker) {
    String flags = ExportWords.flags(call.flags());
    if (!flags.isEmpty()) {
      text(event, "kymo.flags", flags);
    }
    if (call.object() != 0) {
      text(event, "kymo.object", Integer.toHexString(call.object()));
    }
    if (!waker.isEmpty()) {
      text(event, "kymo.by", waker);
    }
    EventData data = call.data();
    if (data != null) {
      data(event, data);
    }
  }
}
