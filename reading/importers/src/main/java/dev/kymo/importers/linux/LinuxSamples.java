package dev.kymo.importers.linux;

import dev.kymo.format.EventFields;
import dev.kymo.format.EventKind;
import dev.kymo.format.FieldType;
import dev.kymo.importers.target.Fields;
import dev.kymo.importers.target.TargetEvent;
import dev.kymo.importers.target.TargetProcess;
import java.io.IOException;
import java.util.List;

/** Samples of perf: events that say where a thread was. */
public final class LinuxSamples {
  /** What the samples of all events have. */
  public static final List<EventFields.Field> FIELDS =
      List.of(
          Fields.of(FieldType.U32, "stack"),
          Fields.of(FieldType.U64, "period"),
          Fields.of(FieldType.I32, "cpu"),
          Fields.of(FieldType.U64, "address"));

  private LinuxSamples() {}

  public static TargetEvent of(TargetProcess process, String name, List<EventFields.Field> fields)
      throws IOException {
    return process.event("sample", name, EventKind.INSTANT, fields);
  }
}
