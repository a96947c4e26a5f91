package dev.kymo.agent;

import dev.kymo.agent.weave.JdkClass;
import dev.kymo.recorder.ChildEnvironment;
import dev.kymo.recorder.Session;
import java.lang.instrument.Instrumentation;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Makes {@code ProcessBuilder.start} call {@link ChildEnvironment}. */
final class ChildProcesses {
  private ChildProcesses() {}

  static void follow(String jar, Session session, Instrumentation instrumentation)
      throws Exception {
    ChildEnvironment.follow(jar, session.directory().toString());
    JdkClass.change(instrumentation, ProcessBuilder.class, ChildProcesses::changed);
  }

  /** Removes the call. */
  static void forget(Instrumentation instrumentation) throws Exception {
    instrumentation.retransformClasses(ProcessBuilder.class);
  }

  private static MethodVisitor changed(
      int access, String name, String descriptor, MethodVisitor next) {
    if (!name.equals("start") || !descriptor.startsWith("([Ljava/lang/ProcessBuilder$Redirect")) {
      return next;
    }
    return new MethodVisitor(Opcodes.ASM9, next) {
      @Override
      public void visitCode() {
        super.visitCode();
        visitVarInsn(Opcodes.ALOAD, 0);
        visitMethodInsn(
            Opcodes.INVOKESTATIC,
            "dev/kymo/recorder/ChildEnvironment",
            "prepare",
            "(Ljava/lang/ProcessBuilder;)V",
            false);
      }
    };
  }
}
