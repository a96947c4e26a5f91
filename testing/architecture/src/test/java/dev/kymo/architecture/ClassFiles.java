package dev.kymo.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Class files of modules. */
final class ClassFiles {
  private ClassFiles() {}

  /** The compiled main code of some modules, by the names that class files have of classes. */
  static Map<String, ClassModel> of(Set<String> rooms) throws IOException {
    Map<String, ClassModel> types = new TreeMap<>();
    for (Room room : Room.all()) {
      if (rooms.contains(room.path())) {
        assertThat(room.classes()).isDirectory();
        read(room.classes(), types);
      }
    }
    return types;
  }

  private static void read(Path folder, Map<String, ClassModel> types) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(file -> file.toString().endsWith(".class")).toList()) {
        ClassModel type = ClassFile.of().parse(file);
        types.put(type.thisClass().asInternalName(), type);
      }
    }
  }

  /** A class's name without its package. */
  static String simple(String type) {
    return type.substring(type.lastIndexOf('/') + 1).replace('$', '.');
  }
}
