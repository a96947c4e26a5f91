package dev.kymo.events.generate;

import dev.kymo.events.DefinitionException;
import dev.kymo.events.Definitions;
import dev.kymo.events.Event;
import dev.kymo.events.Problem;
import dev.kymo.events.Subsystem;
import java.util.ArrayList;
import java.util.List;

/**
 * A class per subsystem with a static method per event, against {@code dev.kymo.api}. A method that
 * is called while its event is off loads one number and compares it.
 */
final class JavaGenerator implements Generator {
  /** A class file has room for 65535 constants; each event needs its method's name there. */
  private static final int MOST_EVENTS = 10_000;

  private final String packageName;

  JavaGenerator(String packageName) {
    if (!JavaNames.isPackage(packageName)) {
      throw new IllegalArgumentException(
          "not the name of a Java package: package=" + packageName + "; expected NAME.NAME");
    }
    this.packageName = packageName;
  }

  @Override
  public List<GeneratedFile> generate(Definitions definitions) throws DefinitionException {
    check(definitions);
    List<GeneratedFile> files = new ArrayList<>();
    String folder = packageName.replace('.', '/') + "/";
    for (Subsystem subsystem : definitions.subsystems()) {
      String source = new JavaSource(packageName, definitions.baseName(), subsystem).text();
      files.add(new GeneratedFile(folder + JavaNames.type(subsystem.name()) + ".java", source));
    }
    return files;
  }

  private static void check(Definitions definitions) throws DefinitionException {
    UniqueNames names = new UniqueNames(definitions.file());
    for (Subsystem subsystem : definitions.subsystems()) {
      String type = JavaNames.type(subsystem.name());
      names.add("Java class", type, subsystem.name(), subsystem.place());
      for (Event event : subsystem.events()) {
        String method = type + "." + JavaNames.method(event.name());
        names.add("Java method", method, event.name(), event.place());
      }
      int count = subsystem.events().size();
      if (count > MOST_EVENTS) {
        names.add(
            new Problem(
                definitions.file(),
                subsystem.place(),
                "subsystem '%s' has too many events for a Java class: events=%d most=%d; split it into two"
                    .formatted(subsystem.name(), count, MOST_EVENTS)));
      }
    }
    names.throwIfAnyTwice();
  }
}
