import java.io.IOException;
import java.io.OutputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFileVersion;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeTransform;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Collections;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;

/**
 * Gives the classes of a jar the form of Java 8. Older classes (picocli is compiled for Java 5) are
 * verified in an old, slow way, and the virtual machine's AOT cache does not take them.
 *
 * <p>java ModernClasses.java JAR: replaces it, if any class in it is that old.
 */
final class ModernClasses {
  private static final int FIRST_WITH_STACK_MAPS = ClassFile.JAVA_6_VERSION;

  private ModernClasses() {}

  public static void main(String[] args) throws IOException {
    Path jar = Path.of(args[0]);
    Path made = jar.resolveSibling(jar.getFileName() + ".new");
    boolean changed = false;
    try (JarFile in = new JarFile(jar.toFile());
        URLClassLoader classes = new URLClassLoader(new URL[] {jar.toUri().toURL()});
        OutputStream file = Files.newOutputStream(made);
        JarOutputStream out = new JarOutputStream(file)) {
      for (JarEntry entry : Collections.list(in.entries())) {
        byte[] bytes = in.getInputStream(entry).readAllBytes();
        if (isOldClass(entry.getName(), bytes)) {
          bytes = modern(bytes, classes);
          changed = true;
        }
        JarEntry copy = new JarEntry(entry.getName());
        copy.setTimeLocal(entry.getTimeLocal());
        out.putNextEntry(copy);
        out.write(bytes);
        out.closeEntry();
      }
    }
    if (changed) {
      Files.move(made, jar, StandardCopyOption.REPLACE_EXISTING);
    } else {
      Files.delete(made);
    }
  }

  /** The major version stands at bytes 6 and 7. */
  private static boolean isOldClass(String name, byte[] bytes) {
    return name.endsWith(".class")
        && ((bytes[6] & 0xFF) << 8 | bytes[7] & 0xFF) < FIRST_WITH_STACK_MAPS;
  }

  private static byte[] modern(byte[] bytes, ClassLoader classes) {
    ClassFile classFile =
        ClassFile.of(
            ClassFile.StackMapsOption.GENERATE_STACK_MAPS,
            ClassFile.ClassHierarchyResolverOption.of(
                ClassHierarchyResolver.ofResourceParsing(classes)
                    .orElse(ClassHierarchyResolver.defaultResolver())));
    ClassTransform version =
        (builder, element) -> {
          if (element instanceof ClassFileVersion) {
            builder.withVersion(ClassFile.JAVA_8_VERSION, 0);
          } else {
            builder.with(element);
          }
        };
    ClassTransform bodies = ClassTransform.transformingMethodBodies(CodeTransform.ACCEPT_ALL);
    return classFile.transformClass(classFile.parse(bytes), version.andThen(bodies));
  }
}
