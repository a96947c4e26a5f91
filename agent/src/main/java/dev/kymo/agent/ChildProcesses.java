package dev.kymo.agent;

import dev.kymo.recorder.ChildEnvironment;
import dev.kymo.recorder.Session;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Makes {@code ProcessBuilder.start} call {@link ChildEnvironment}. */
final class ChildProcesses {
  private ChildProcesses() {}

  static void follow(String jar, Session session, Instrumentation instrumentation)
      throws Exception {
    ChildEnvironment.follow(jar, session.directory().toString());
    ClassFileTransformer once = new BuilderTransformer();
    instrumentation.addTransformer(once, true);
    try {
      instrumentation.retransformClasses(ProcessBuilder.class);
    } finally {
      instrumentation.removeTransformer(once);
    }
  }

  /** Takes the call out again. */
  static void forget(Instrumentation instrumentation) throws Exception {
    instrumentation.retransformClasses(ProcessBuilder.class);
  }

  private static final class BuilderTransformer implements ClassFileTransformer {
    @Override
    public byte @Nullable [] transform(
        @Nullable ClassLoader loader,
        @Nullable String name,
        @Nullable Class<?> redefined,
        @Nullable ProtectionDomain domain,
        byte[] classFile) {
      if (!"java/lang/ProcessBuilder".equals(name)) {
        return null;
      }
      ClassReader reader = new ClassReader(classFile);
      ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
      reader.accept(new StartVisitor(writer), 0);
      return writer.toByteArray();
    }
  }

  private static final class StartVisitor extends ClassVisitor {
    StartVisitor(ClassVisitor next) {
      super(Opcodes.ASM9, next);
    }

    @Override
    public MethodVisitor visitMethod(
        int access,
        String name,
        String descriptor,
        @Nullable String signature,
        String @Nullable [] exceptions) {
      MethodVisitor next = super.visitMethod(access, name, descriptor, signature, exceptions);
      if (!name.equals("start") || !descriptor.startsWith("([Ljava/lang/ProcessBuilder$Redirect")) {
        return next;
      }
      return new MethodVisitor(Opcodes.ASM9, next) {
        @Override
        public void visitCode() {
          super.visitCode();
          visitVarInsn(Opcodes.ALOAD, 0);
          visitMethodInsn(
              Opcodes.INVOKEVIRTUAL,
              "java/lang/ProcessBuilder",
              "environment",
              "()Ljava/util/Map;",
              false);
          visitMethodInsn(
              Opcodes.INVOKESTATIC,
              "dev/kymo/recorder/ChildEnvironment",
              "prepare",
              "(Ljava/util/Map;)V",
              false);
        }
      };
    }
  }
}
