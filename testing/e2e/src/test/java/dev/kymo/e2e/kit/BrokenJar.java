package dev.kymo.e2e.kit;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.classfile.ClassFile;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;

/** A jar with a class and an interface that do not verify, and a class between them that does. */
public final class BrokenJar {
  private BrokenJar() {}

  public static Path in(Path folder) throws IOException {
    Path jar = folder.resolve("broken.jar");
    try (OutputStream file = Files.newOutputStream(jar);
        JarOutputStream out = new JarOutputStream(file)) {
      put(out, "Bad", ClassFile.ACC_PUBLIC, true);
      put(out, "Good", ClassFile.ACC_PUBLIC, false);
      int isInterface = ClassFile.ACC_PUBLIC | ClassFile.ACC_INTERFACE | ClassFile.ACC_ABSTRACT;
      put(out, "BadInterface", isInterface, true);
    }
    return jar;
  }

  /** Its method returns an integer; if it is bad, that variable has none. */
  private static void put(JarOutputStream out, String name, int flags, boolean bad)
      throws IOException {
    out.putNextEntry(new JarEntry(name + ".class"));
    out.write(
        ClassFile.of()
            .build(
                ClassDesc.of(name),
                type ->
                    type.withVersion(ClassFile.JAVA_17_VERSION, 0)
                        .withFlags(flags)
                        .withMethodBody(
                            "number",
                            MethodTypeDesc.of(ConstantDescs.CD_int, ConstantDescs.CD_int),
                            ClassFile.ACC_PUBLIC | ClassFile.ACC_STATIC,
                            code -> {
                              if (bad) {
                                code.fload(0);
                              } else {
                                code.iload(0);
                              }
                              code.ireturn();
                            })));
    out.closeEntry();
  }
}
