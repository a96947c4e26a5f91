package dev.kymo.format;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The description of kernel streams in the metadata. Events and fields have the names that LTTng
 * gives them, where it has such an event, because that is what tools for kernel traces look for.
 */
final class KernelMetadata {
  /** LTTng puts these subsystems before the event's name. */
  private static final Map<String, String> PREFIXES =
      Map.of(
          "timer", "timer_",
          "exceptions", "x86_exceptions_",
          "irq_vectors", "x86_irq_vectors_",
          "kmem", "kmem_");

  private static final Map<String, String> FIELDS =
      Map.of(
          "prev_pid", "prev_tid",
          "next_pid", "next_tid",
          "parent_pid", "parent_tid",
          "parent_tgid", "parent_pid",
          "child_pid", "child_tid",
          "child_tgid", "child_pid",
          "pid", "tid",
          "old_pid", "old_tid");

  private static final String STREAM =
      """
      struct kernel_packet_context {
        ts64_t timestamp_begin;
        ts64_t timestamp_end;
        uint64_t content_size;
        uint64_t packet_size;
        uint64_t events_discarded;
        uint64_t packet_seq_num;
        uint32_t process;
        uint32_t cpu_id;
      };

      stream {
        id = 3;
        packet.context := struct kernel_packet_context;
        event.header := struct { ts32_t timestamp; uint16_t id; };
        event.context := struct { uint8_t _flags; uint8_t _preempt_count; int32_t _tid; };
      };

      """;

  private KernelMetadata() {}

  /**
   * Describes the stream and its events, numbered by their place in the list; nothing without
   * events.
   */
  static String of(List<KernelEventFormat> events) {
    if (events.isEmpty()) {
      return "";
    }
    StringBuilder text = new StringBuilder(STREAM);
    for (int id = 0; id < events.size(); id++) {
      text.append(event(id, events.get(id)));
    }
    return text.toString();
  }

  private static String event(int id, KernelEventFormat event) {
    StringBuilder fields = new StringBuilder();
    int at = KernelEventFormat.COMMON_SIZE;
    int gaps = 0;
    Map<String, Integer> used = new HashMap<>();
    for (KernelEventFormat.Field field : event.fields()) {
      if (field.offset() > at) {
        fields.append("    uint8_t _kymo_gap%d[%d];\n".formatted(gaps++, field.offset() - at));
      }
      int same = used.merge(field.name(), 1, Integer::sum);
      fields.append("    ").append(declaration(event, field, same)).append('\n');
      at = field.offset() + field.size();
    }
    for (KernelEventFormat.Field field : event.dynamic()) {
      String type = field.kind() == KernelEventFormat.Kind.DYNAMIC_TEXT ? "text8_t" : "uint8_t";
      fields.append(
          "    %s _%s[_kymo_length_%s];\n".formatted(type, name(event, field), field.name()));
    }
    return """
    event {
      stream_id = 3; id = %d; name = "%s";
      fields := struct {
    %s  };
    };

    """
        .formatted(id, name(event), fields);
  }

  private static String declaration(
      KernelEventFormat event, KernelEventFormat.Field field, int same) {
    String name = name(event, field) + (same > 1 ? "_" + same : "");
    return switch (field.kind()) {
      case TEXT -> "text8_t _%s[%d];".formatted(name, field.size());
      case INTEGER -> "%s _%s;".formatted(integer(field), name);
      case ARRAY -> "%s _%s[%d];".formatted(integer(field), name, field.size() / field.element());
      case DYNAMIC_TEXT, DYNAMIC_BYTES ->
          "uint16_t _kymo_offset_%s; uint16_t _kymo_length_%s;"
              .formatted(field.name(), field.name());
    };
  }

  private static String integer(KernelEventFormat.Field field) {
    boolean address = field.declaration().endsWith("*") && field.element() == 8;
    return address ? "hex64_t" : (field.signed() ? "int" : "uint") + field.element() * 8 + "_t";
  }

  private static String name(KernelEventFormat event, KernelEventFormat.Field field) {
    boolean threads = event.subsystem().equals("sched") || event.subsystem().equals("task");
    return threads ? FIELDS.getOrDefault(field.name(), field.name()) : field.name();
  }

  /** LTTng's name of an event. */
  static String name(KernelEventFormat event) {
    String name = event.name();
    if (event.subsystem().equals("syscalls")) {
      return name.startsWith("sys_enter_")
          ? "syscall_entry_" + name.substring("sys_enter_".length())
          : "syscall_exit_" + name.replaceFirst("^sys_exit_", "");
    }
    if (event.subsystem().equals("irq") && name.startsWith("softirq_")) {
      return "irq_" + name;
    }
    return PREFIXES.getOrDefault(event.subsystem(), "") + name;
  }
}
