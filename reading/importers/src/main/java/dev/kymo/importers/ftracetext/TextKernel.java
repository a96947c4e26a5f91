package dev.kymo.importers.ftracetext;

import dev.kymo.format.KernelEventFormat;
import dev.kymo.importers.ftracetext.lines.FieldTexts;
import dev.kymo.importers.ftracetext.lines.FieldTexts.FieldText;
import dev.kymo.importers.linux.KnownLayouts;
import dev.kymo.importers.target.KernelTarget;
import dev.kymo.importers.target.Target;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Gives events of the kernel of which only the text is known to a recording. */
public final class TextKernel {
  private static final String BECAME = "events of the kernel";

  private final Target target;
  private final int processors;
  private @Nullable TextKinds kinds;

  /**
   * Where and when an event happened, and who ran.
   *
   * @param flags as in the kernel's events: 8 = in an interrupt, 16 = in a soft interrupt
   */
  public record Where(int cpu, long nanos, int tid, int flags) {}

  public TextKernel(Target target, int processors) {
    this.target = target;
    this.processors = processors;
  }

  /** Takes an event, with its fields in its text: {@code comm=a pid=12}. */
  public void event(Where where, String subsystem, String event, String text) throws IOException {
    List<FieldText> fields = FieldTexts.of(Renderings.kernels(event, text));
    take(where, subsystem, event, fields);
    target.tally().count(subsystem + ":" + event, BECAME);
  }

  /** The same of an event of which only the name is known. */
  void event(Where where, String event, List<FieldText> fields) throws IOException {
    take(where, KnownLayouts.subsystem(event), event, fields);
    target.tally().count(event, BECAME);
  }

  private void take(Where where, String subsystem, String event, List<FieldText> given)
      throws IOException {
    KernelTarget kernel = target.kernel("Linux", processors);
    TextKinds known = kinds;
    if (known == null) {
      known = new TextKinds(kernel);
      kinds = known;
    }
    boolean full = known.isFull();
    List<FieldText> fields = full ? List.of(new FieldText("text", text(event, given))) : given;
    TextKinds.Kind kind = known.of(subsystem, full ? "event" : event, fields);
    List<KernelEventFormat.Field> layout = kind.layout().format().fields();
    Object[] values = new Object[fields.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = TextKinds.value(fields.get(i), layout.get(i));
    }
    byte[] bytes = kind.layout().event(where.flags, 0, where.tid, values);
    kernel.event(where.cpu, where.nanos, kind.number(), bytes);
  }

  private static String text(String event, List<FieldText> fields) {
    StringBuilder text = new StringBuilder(event).append(':');
    for (FieldText field : fields) {
      text.append(' ').append(field.name()).append(field.name().isEmpty() ? "" : "=");
      text.append(field.value());
    }
    return text.toString();
  }
}
