package dev.kymo.kernel;

import dev.kymo.format.KernelEventFormat;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The event of a new thread or process, with what the kernel leaves out and readers of LTTng's
 * traces need: the processes of parent and child. They stand after the kernel's fields.
 */
final class ForkEvent {
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final int ADDED = 8;

  private final KernelEventFormat kernels;
  private final KernelEventFormat recorded;
  private final int parent;
  private final int child;
  private byte[] bytes = new byte[256];

  ForkEvent(KernelEventFormat kernels) {
    this.kernels = kernels;
    this.parent = kernels.field("parent_pid").offset();
    this.child = kernels.field("child_pid").offset();
    int end = kernels.fixedSize();
    String added =
        """
        field:pid_t parent_tgid; offset:%d; size:4; signed:1;
        field:pid_t child_tgid; offset:%d; size:4; signed:1;
        """;
    this.recorded =
        KernelEventFormat.parse(
            kernels.subsystem(), kernels.text() + added.formatted(end, end + 4));
  }

  /** Whether events of this kind report a new thread or process. */
  static boolean is(KernelEventFormat format) {
    return format.toString().equals("sched:sched_process_fork")
        && format.has("parent_pid")
        && format.has("child_pid");
  }

  /** The kinds of events as a recording has them. */
  static List<KernelEventFormat> recorded(List<KernelEventFormat> formats) {
    return formats.stream().map(f -> is(f) ? new ForkEvent(f).recorded : f).toList();
  }

  /** The kind among these that reports a new thread or process; null if there is none. */
  static @Nullable ForkEvent among(List<KernelEventFormat> formats) {
    return formats.stream().filter(ForkEvent::is).findFirst().map(ForkEvent::new).orElse(null);
  }

  int parent(byte[] event, int at) {
    return (int) INT.get(event, at + parent);
  }

  int child(byte[] event, int at) {
    return (int) INT.get(event, at + child);
  }

  /** The event as it is recorded, {@link #size} bytes from 0; valid until the next call. */
  byte[] with(byte[] event, int at, int size, int parentProcess, int childProcess) {
    int fixed = kernels.fixedSize();
    if (bytes.length < size + ADDED) {
      bytes = new byte[2 * (size + ADDED)];
    }
    System.arraycopy(event, at, bytes, 0, fixed);
    INT.set(bytes, fixed, parentProcess);
    INT.set(bytes, fixed + 4, childProcess);
    System.arraycopy(event, at + fixed, bytes, fixed + ADDED, size - fixed);
    for (KernelEventFormat.Field field : kernels.dynamic()) {
      int place = (int) INT.get(bytes, field.offset());
      // relative fields, too: their data moved by the same distance
      INT.set(bytes, field.offset(), place + ADDED);
    }
    return bytes;
  }

  /** Size in bytes of an event as it is recorded. */
  static int size(int kernelsSize) {
    return kernelsSize + ADDED;
  }
}
