package dev.kymo.events.generate;

import dev.kymo.events.DefinitionException;
import dev.kymo.events.Definitions;
import dev.kymo.events.Event;
import dev.kymo.events.Subsystem;
import java.util.List;

/**
 * A header for C and C++: first, byte for byte, the macros that Barrelfish's pleco writes; after
 * them a typed function per event for programs that have included {@code kymo.h} before.
 */
final class CHeaderGenerator implements Generator {
  @Override
  public List<GeneratedFile> generate(Definitions definitions) throws DefinitionException {
    check(definitions);
    StringBuilder header = new StringBuilder();
    String base = CNames.macro(definitions.baseName());
    String guard = base + "_BARRELFISH__";
    header.append("#ifndef ").append(guard).append("\n#define ").append(guard).append("\n\n");
    definitions.subsystems().forEach(s -> macros(header, s));
    header.append("\n\n#define TRACE_NUM_SUBSYSTEMS\t");
    header.append(definitions.subsystems().size());
    header.append("\n\n#endif // ").append(guard).append("\n\n");
    functions(header, base, definitions);
    return List.of(new GeneratedFile(definitions.baseName() + ".h", header.toString()));
  }

  private static void check(Definitions definitions) throws DefinitionException {
    UniqueNames names = new UniqueNames(definitions.file());
    for (Subsystem subsystem : definitions.subsystems()) {
      String macro = CNames.macro(subsystem.name());
      names.add("C macro", "TRACE_SUBSYS_" + macro, subsystem.name(), subsystem.place());
      for (Event event : subsystem.events()) {
        String both = macro + "_" + CNames.macro(event.name());
        names.add("C macro", "TRACE_EVENT_" + both, event.name(), event.place());
      }
    }
    names.throwIfAnyTwice();
  }

  private static void macros(StringBuilder header, Subsystem subsystem) {
    String name = CNames.macro(subsystem.name());
    define(header, "TRACE_SUBSYS_" + name, subsystem.id());
    for (Event event : subsystem.events()) {
      define(header, "TRACE_EVENT_" + name + "_" + CNames.macro(event.name()), event.id());
    }
    header.append('\n');
  }

  private static void define(StringBuilder header, String macro, int id) {
    header.append("#define ").append(macro).append('\t').append(id).append('\n');
  }

  /**
   * The functions have a guard of their own: the macros may have been included before {@code
   * kymo.h} was.
   */
  private static void functions(StringBuilder header, String base, Definitions definitions) {
    String guard = "KYMO_EVENTS_OF_" + base;
    header.append(
        """
        #if defined(KYMO_H) && !defined(%1$s)
        #define %1$s

        #include <stddef.h>
        #include <stdint.h>
        #include <string.h>

        """
            .formatted(guard));
    header.append(CFunction.HELPERS);
    for (Subsystem subsystem : definitions.subsystems()) {
      for (Event event : subsystem.events()) {
        new CFunction(subsystem, event).appendTo(header);
      }
    }
    header.append("\n#endif /* ").append(guard).append(" */\n");
  }
}
