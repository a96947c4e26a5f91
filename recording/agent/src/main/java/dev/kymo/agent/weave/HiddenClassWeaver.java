package dev.kymo.agent;

import dev.kymo.recorder.HiddenClasses;
import dev.kymo.recorder.ProcessRecorder;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.lang.invoke.MethodHandles;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Makes {@code Lookup.defineHiddenClass} and {@code defineHiddenClassWithClassData} hand what they
 * are to define to {@link HiddenClasses}, because transformers are not called for it. Some of what
 * the JDK makes of a program comes by there too; it is no more the program's own than the rest.
 */
final class HiddenClassWeaver {
  /** In the names of what the JDK makes of lambdas, there on Java 17. */
  private static final String LAMBDA = "$$Lambda";

  /** In the names of what the JDK makes of switches over patterns, there from Java 23 on. */
  private static final String TYPE_SWITCH = "$$TypeSwitch";

  private final Instrumentation instrumentation;
  private final Transformer transformer;

  HiddenClassWeaver(Instrumentation instrumentation, Transformer transformer) {
    this.instrumentation = instrumentation;
    this.transformer = transformer;
  }

  /** Puts the calls in. */
  void weave(ProcessRecorder recorder) {
    HiddenClasses.weaveBy(this::woven);
    try {
      JdkClass.change(instrumentation, MethodHandles.Lookup.class, HiddenClassWeaver::changed);
    } catch (UnmodifiableClassException | RuntimeException | LinkageError e) {
      recorder.notice("hidden classes are not recorded: error=" + e);
    }
  }

  /** Takes the calls out again. */
  void unweave() throws UnmodifiableClassException {
    HiddenClasses.weaveBy(null);
    instrumentation.retransformClasses(MethodHandles.Lookup.class);
  }

  private byte @Nullable [] woven(Class<?> host, byte[] classFile) {
    // What cannot be read fails here, and is given back: it is the program's to have an exception.
    String name = new ClassReader(classFile).getClassName();
    return name.contains(LAMBDA) || name.endsWith(TYPE_SWITCH)
        ? null
        : transformer.hidden(host, name, classFile);
  }

  /** {@code bytes = HiddenClasses.prepare(this, bytes)} before anything else. */
  private static MethodVisitor changed(
      int access, String name, String descriptor, MethodVisitor next) {
    if ((access & Opcodes.ACC_PUBLIC) == 0
        || !name.startsWith("defineHiddenClass")
        || !descriptor.startsWith("([B")) {
      return next;
    }
    return new MethodVisitor(Opcodes.ASM9, next) {
      @Override
      public void visitCode() {
        super.visitCode();
        visitVarInsn(Opcodes.ALOAD, 0);
        visitVarInsn(Opcodes.ALOAD, 1);
        visitMethodInsn(
            Opcodes.INVOKESTATIC,
            "dev/kymo/recorder/HiddenClasses",
            "prepare",
            "(Ljava/lang/invoke/MethodHandles$Lookup;[B)[B",
            false);
        visitVarInsn(Opcodes.ASTORE, 1);
      }
    };
  }
}
