package dev.kymo.agent.weave;

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
 * Makes {@code Lookup.defineHiddenClass} and {@code defineHiddenClassWithClassData} hand the class
 * file to {@link HiddenClasses} before they define it, because transformers are not called for
 * hidden classes. Some classes that the JDK makes for a program also pass through these methods;
 * they are no more the program's own than others that it makes.
 */
public final class HiddenClassWeaver {
  /** A part of the names of classes that the JDK makes for lambdas, on Java 17. */
  private static final String LAMBDA = "$$Lambda";

  /**
   * A part of the names of classes that the JDK makes for switches over patterns, from Java 23 on.
   */
  private static final String TYPE_SWITCH = "$$TypeSwitch";

  private final Instrumentation instrumentation;
  private final Transformer transformer;

  public HiddenClassWeaver(Instrumentation instrumentation, Transformer transformer) {
    this.instrumentation = instrumentation;
    this.transformer = transformer;
  }

  public void weave(ProcessRecorder recorder) {
    HiddenClasses.weaveBy(this::woven);
    try {
      JdkClass.change(instrumentation, MethodHandles.Lookup.class, HiddenClassWeaver::changed);
    } catch (UnmodifiableClassException | RuntimeException | LinkageError e) {
      recorder.notice("hidden classes are not recorded: error=" + e);
    }
  }

  public void unweave() throws UnmodifiableClassException {
    HiddenClasses.weaveBy(null);
    instrumentation.retransformClasses(MethodHandles.Lookup.class);
  }

  private byte @Nullable [] woven(Class<?> host, byte[] classFile) {
    // Bytes that cannot be read fail here, and are returned: the program must get its exception.
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
