package dev.kymo.importers.ftracetext;

import dev.kymo.format.KernelEventFormat;
import dev.kymo.importers.ftracetext.lines.FieldTexts.FieldText;
import dev.kymo.importers.linux.KnownLayouts;
import dev.kymo.importers.linux.MadeLayout;
import dev.kymo.importers.target.KernelTarget;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Kinds of events that are only known as text: a layout for each event and the names and types of
 * its fields. A field has the kernel's type if it is one that states are made of; otherwise it is a
 * number if its text is one.
 */
final class TextKinds {
  /** With more, an event has one field: its text. */
  private static final int MOST = 10_000;

  private static final int LARGEST = 20;

  private final KernelTarget kernel;
  private final Map<String, Kind> kinds = new HashMap<>();

  /** A kind: its number in the recording and its layout. */
  record Kind(int number, MadeLayout layout) {}

  TextKinds(KernelTarget kernel) {
    this.kernel = kernel;
  }

  Kind of(String subsystem, String event, List<FieldText> fields) throws IOException {
    StringBuilder key = new StringBuilder(subsystem).append(':').append(event);
    for (FieldText field : fields) {
      key.append(' ').append(field.name()).append(type(field.value()));
    }
    Kind known = kinds.get(key.toString());
    if (known == null) {
      known = make(subsystem, event, fields);
      kinds.put(key.toString(), known);
    }
    return known;
  }

  boolean isFull() {
    return kinds.size() >= MOST;
  }

  private Kind make(String subsystem, String event, List<FieldText> fields) throws IOException {
    MadeLayout.Builder builder = MadeLayout.of(subsystem, event);
    for (FieldText field : fields) {
      String name = field.name().isEmpty() ? "text" : field.name();
      KernelEventFormat.Field known = known(event, name);
      if (known != null && known.kind() == KernelEventFormat.Kind.INTEGER) {
        builder.number(known.declaration(), name, known.size(), known.signed());
      } else if (known != null && known.kind() == KernelEventFormat.Kind.TEXT) {
        builder.text(name, known.size());
      } else {
        switch (type(field.value())) {
          case 'd' -> builder.number(name, Long.BYTES, true);
          case 'x' -> builder.number(name, Long.BYTES, false);
          default -> builder.text(name);
        }
      }
    }
    MadeLayout layout = builder.build();
    return new Kind(kernel.kind(layout.format()), layout);
  }

  private static KernelEventFormat.@Nullable Field known(String event, String name) {
    return KnownLayouts.of(event)
        .filter(layout -> layout.format().has(name))
        .map(layout -> layout.format().field(name))
        .orElse(null);
  }

  /** {@code d} = a decimal number, {@code x} = a hexadecimal one, {@code t} = text. */
  private static char type(String value) {
    boolean hex = value.startsWith("0x") && value.length() > 2 && value.length() <= 18;
    int from = hex ? 2 : value.startsWith("-") ? 1 : 0;
    if (from == value.length() || (!hex && value.length() >= LARGEST - 1)) {
      return 't';
    }
    for (int i = from; i < value.length(); i++) {
      if (Character.digit(value.charAt(i), hex ? 16 : 10) < 0 || value.charAt(i) > 'f') {
        return 't';
      }
    }
    return hex ? 'x' : 'd';
  }

  static Object value(FieldText field, KernelEventFormat.Field as) {
    String value = field.value();
    if (as.kind() != KernelEventFormat.Kind.INTEGER) {
      return value;
    }
    if (field.name().equals("prev_state")) {
      return Renderings.state(value);
    }
    if (field.name().equals("clone_flags")) {
      return number(value.startsWith("0x") ? value : "0x" + value);
    }
    return number(value);
  }

  private static long number(String value) {
    try {
      return switch (type(value)) {
        case 'x' -> Long.parseUnsignedLong(value.substring(2), 16);
        case 'd' -> Long.parseLong(value);
        default -> 0;
      };
    } catch (NumberFormatException e) {
      return 0;
    }
  }
}
