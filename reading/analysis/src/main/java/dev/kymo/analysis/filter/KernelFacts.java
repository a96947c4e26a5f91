package dev.kymo.analysis.filter;

import dev.kymo.format.KernelEventFormat;
import dev.kymo.reader.KernelStream;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Facts of the kernel's events as the kernel has them. */
public final class KernelFacts implements EventFacts {
  private final KernelStream event;
  private final long time;

  /**
   * Those of the event that a stream is at.
   *
   * @param time nanoseconds since the recording's begin
   */
  public KernelFacts(KernelStream event, long time) {
    this.event = event;
    this.time = time;
  }

  @Override
  public String kind() {
    return "kernel";
  }

  @Override
  public String name() {
    return event.format().toString();
  }

  @Override
  public String subsystem() {
    return event.format().subsystem();
  }

  @Override
  public long time() {
    return time;
  }

  @Override
  public long begin() {
    return UNKNOWN;
  }

  @Override
  public int process() {
    return event.process();
  }

  /** The kernel's number of the thread that ran. */
  @Override
  public int thread() {
    return event.tid();
  }

  @Override
  public String threadName() {
    return "CPU " + event.cpu();
  }

  @Override
  public String track() {
    return "cpu";
  }

  @Override
  public int core() {
    return event.cpu();
  }

  @Override
  public int depth() {
    return -1;
  }

  @Override
  public String place() {
    return "";
  }

  @Override
  public @Nullable Object field(String name) {
    for (KernelEventFormat.Field field : event.format().fields()) {
      if (field.name().equals(name)) {
        boolean pointer = field.declaration().endsWith("*");
        return field.kind() == KernelEventFormat.Kind.INTEGER && !pointer
            ? (Object) event.number(field)
            : event.text(field);
      }
    }
    return null;
  }

  @Override
  public List<String> fields() {
    return event.format().fields().stream().map(KernelEventFormat.Field::name).toList();
  }

  @Override
  public String text() {
    return event.text();
  }
}
