package dev.kymo.events.generate;

import dev.kymo.events.DefinitionException;
import dev.kymo.events.Definitions;
import java.util.List;

/** Writes definitions in another language. */
public interface Generator {
  /**
   * The files, not written yet.
   *
   * @throws DefinitionException if something valid in a definition file is not valid in that
   *     language
   */
  List<GeneratedFile> generate(Definitions definitions) throws DefinitionException;

  /**
   * A Java class per subsystem with a static method per event, against {@code dev.kymo.api}.
   *
   * @param packageName of the classes
   * @throws IllegalArgumentException if that is not the name of a package; the message is for users
   */
  static Generator java(String packageName) {
    return new JavaGenerator(packageName);
  }

  /** A header for C and C++: Barrelfish's macros, and functions against {@code kymo.h}. */
  static Generator cHeader() {
    return new CHeaderGenerator();
  }

  /** Everything, as JSON. */
  static Generator json() {
    return new JsonGenerator();
  }

  /** The JSON that Barrelfish's pleco has written since 2017, byte for byte. */
  static Generator plecoJson() {
    return new PlecoJsonGenerator();
  }
}
