package dev.kymo.events.generate;

import dev.kymo.events.Event;
import dev.kymo.events.Field;
import dev.kymo.events.Subsystem;
import dev.kymo.format.EventKind;
import dev.kymo.format.FieldType;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * The inline function that records one event. The event's number is asked for once per compilation
 * unit and kept; until there is a number, each call asks again.
 */
final class CFunction {
  /**
   * Fields lie one after the other, little-endian, without padding; texts and bytes are their
   * length in 16 bits, then their bytes. The library refuses events of more than 64 KiB, by their
   * size, before it reads them.
   */
  static final String HELPERS =
      """
      #ifndef KYMO_EVENTS_HELPERS
      #define KYMO_EVENTS_HELPERS
      static inline unsigned char *kymo_put_int(unsigned char *to, uint64_t value, unsigned size) {
        unsigned i;
        for (i = 0; i < size; i++) {
          to[i] = (unsigned char) (value >> (8 * i));
        }
        return to + size;
      }
      static inline unsigned char *kymo_put_bytes(unsigned char *to, const void *bytes, size_t size) {
        to = kymo_put_int(to, size, 2);
        if (size != 0) {
          memcpy(to, bytes, size);
        }
        return to + size;
      }
      static inline uint64_t kymo_bits_f32(float value) {
        uint32_t bits;
        memcpy(&bits, &value, sizeof bits);
        return bits;
      }
      static inline uint64_t kymo_bits_f64(double value) {
        uint64_t bits;
        memcpy(&bits, &value, sizeof bits);
        return bits;
      }
      #endif
      """;

  private static final int MOST_BYTES = 65536;

  private final Subsystem subsystem;
  private final Event event;
  private final Map<Field, String> parameters = new LinkedHashMap<>();
  private final Map<Field, String> sizes = new LinkedHashMap<>();

  CFunction(Subsystem subsystem, Event event) {
    this.subsystem = subsystem;
    this.event = event;
    Set<String> taken = new HashSet<>();
    for (Field field : event.fields()) {
      String parameter = CNames.parameter(field.name(), taken);
      taken.add(parameter);
      parameters.put(field, parameter);
    }
    for (Field field : event.fields()) {
      if (field.type() == FieldType.BYTES) {
        String size = CNames.parameter(field.name() + "_size", taken);
        taken.add(size);
        sizes.put(field, size);
      } else if (field.type() == FieldType.STR) {
        sizes.put(field, "kymo_size_" + sizes.size());
      }
    }
  }

  void appendTo(StringBuilder header) {
    header
        .append('\n')
        .append(CText.comment(event.description()))
        .append("\nstatic inline void trace_")
        .append(CNames.function(subsystem.name()))
        .append('_')
        .append(CNames.function(event.name()))
        .append('(')
        .append(declared())
        .append(") {\n");
    appendNumber(header);
    header.append("  if (kymo_number != 0 && kymo_event_on(kymo_number)) {\n");
    if (event.kind() == EventKind.BEGIN) {
      header.append("    kymo_enter_event(kymo_number);\n");
    }
    appendRecord(header);
    if (event.kind() == EventKind.END) {
      header.append("    kymo_leave_event(kymo_number);\n");
    }
    header.append("  }\n}\n");
  }

  private void appendNumber(StringBuilder header) {
    header
        .append("  static uint32_t kymo_known;\n")
        .append("  uint32_t kymo_number = __atomic_load_n(&kymo_known, __ATOMIC_RELAXED);\n")
        .append("  if (kymo_number == 0) {\n    kymo_number = kymo_event_define(")
        .append(
            "%s, %d, %s, %s,\n        %d, %s, %d, %s, %s, %s"
                .formatted(
                    CText.literal(subsystem.name()),
                    subsystem.id(),
                    CText.literal(subsystem.category()),
                    CText.literal(subsystem.color()),
                    event.id(),
                    CText.literal(event.name()),
                    event.kind().number(),
                    CText.literal(event.begin()),
                    CText.literal(event.description()),
                    CText.literal(event.fieldsText())))
        .append(");\n    __atomic_store_n(&kymo_known, kymo_number, __ATOMIC_RELAXED);\n  }\n");
  }

  private String declared() {
    if (event.untyped()) {
      return "uint64_t argument";
    }
    if (event.fields().isEmpty()) {
      return "void";
    }
    StringBuilder text = new StringBuilder();
    parameters.forEach((field, name) -> {
      String type = CType.of(field.type());
      text.append(text.isEmpty() ? "" : ", ");
      text.append(type).append(type.endsWith("*") ? "" : " ").append(name);
      if (field.type() == FieldType.BYTES) {
        text.append(", size_t ").append(sizes.get(field));
      }
    });
    return text.toString();
  }

  private void appendRecord(StringBuilder header) {
    boolean call = event.kind() == EventKind.BEGIN || event.kind() == EventKind.END;
    if (call && event.fields().isEmpty()) {
      return; // its begin or end is all there is to record
    }
    if (!event.fitsArgument()) {
      appendData(header);
      return;
    }
    String argument = event.untyped() ? "argument" : "0";
    for (Map.Entry<Field, String> only : parameters.entrySet()) {
      argument = CType.bits(only.getKey().type(), only.getValue());
    }
    header.append("    kymo_event(kymo_number, ").append(argument).append(");\n");
  }

  private void appendData(StringBuilder header) {
    int fixed =
        event.fields().stream().mapToInt(f -> f.type().isFixed() ? f.type().size() : 2).sum();
    StringBuilder total = new StringBuilder().append(fixed);
    sizes.forEach((field, size) -> {
      if (field.type() == FieldType.STR) {
        String text = parameters.get(field);
        header.append("    size_t %s = %s == 0 ? 0 : strlen(%s);\n".formatted(size, text, text));
      }
      total.append(" + ").append(size);
    });
    String indent = "      ";
    if (sizes.isEmpty()) {
      header.append("    unsigned char kymo_data[%d];\n".formatted(fixed));
      header.append("    unsigned char *kymo_to = kymo_data;\n");
      indent = "    ";
    } else {
      header.append("    size_t kymo_size = %s;\n".formatted(total));
      header.append("    if (kymo_size > %d) {\n".formatted(MOST_BYTES));
      header.append("      kymo_event_data(kymo_number, 0, kymo_size);\n    } else {\n");
      header.append(
          "      unsigned char *kymo_data = (unsigned char *) __builtin_alloca(kymo_size);\n");
      header.append("      unsigned char *kymo_to = kymo_data;\n");
    }
    for (Map.Entry<Field, String> each : parameters.entrySet()) {
      header.append(indent).append(put(each.getKey(), each.getValue()));
    }
    header.append(indent).append("kymo_event_data(kymo_number, kymo_data, ");
    header.append("(size_t) (kymo_to - kymo_data));\n");
    header.append(sizes.isEmpty() ? "" : "    }\n");
  }

  private String put(Field field, String parameter) {
    FieldType type = field.type();
    return type.isFixed()
        ? "kymo_to = kymo_put_int(kymo_to, %s, %d);\n"
            .formatted(CType.bits(type, parameter), type.size())
        : "kymo_to = kymo_put_bytes(kymo_to, %s, %s);\n".formatted(parameter, sizes.get(field));
  }
}
