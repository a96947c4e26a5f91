package dev.kymo.agent.weave;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.security.ProtectionDomain;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Changes methods of a class of the JDK. */
public final class JdkClass {
  private JdkClass() {}

  /** A change that is made to methods. */
  @FunctionalInterface
  public interface Change {
    /**
     * Returns the visitor that changes a method and wraps the writing visitor; returns the writing
     * visitor to leave the method unchanged.
     */
    MethodVisitor of(int access, String name, String descriptor, MethodVisitor next);
  }

  /** Changes a loaded class, until it is transformed again. */
  public static void change(Instrumentation instrumentation, Class<?> type, Change change)
      throws UnmodifiableClassException {
    ClassFileTransformer once =
        new ClassFileTransformer() {
          @Override
          public byte @Nullable [] transform(
              @Nullable ClassLoader loader,
              @Nullable String name,
              @Nullable Class<?> redefined,
              @Nullable ProtectionDomain domain,
              byte[] classFile) {
            return type.equals(redefined) ? changed(classFile, change) : null;
          }
        };
    instrumentation.addTransformer(once, true);
    try {
      instrumentation.retransformClasses(type);
    } finally {
      instrumentation.removeTransformer(once);
    }
  }

  public static byte[] changed(byte[] classFile, Change change) {
    ClassReader reader = new ClassReader(classFile);
    ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
    reader.accept(
        new ClassVisitor(Opcodes.ASM9, writer) {
          @Override
          public MethodVisitor visitMethod(
              int access,
              String name,
              String descriptor,
              @Nullable String signature,
              String @Nullable [] exceptions) {
            return change.of(
                access,
                name,
                descriptor,
                super.visitMethod(access, name, descriptor, signature, exceptions));
          }
        },
        ClassReader.EXPAND_FRAMES);
    return writer.toByteArray();
  }
}
