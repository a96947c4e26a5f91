package dev.kymo.agent;

import static org.objectweb.asm.Opcodes.ACC_FINAL;
import static org.objectweb.asm.Opcodes.ACC_PUBLIC;
import static org.objectweb.asm.Opcodes.ACC_STATIC;
import static org.objectweb.asm.Opcodes.ACC_SUPER;
import static org.objectweb.asm.Opcodes.ACC_SYNTHETIC;
import static org.objectweb.asm.Opcodes.ILOAD;
import static org.objectweb.asm.Opcodes.INVOKESTATIC;
import static org.objectweb.asm.Opcodes.RETURN;
import static org.objectweb.asm.Opcodes.V17;

import java.lang.instrument.Instrumentation;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Method;
import java.security.ProtectionDomain;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.commons.ClassRemapper;
import org.objectweb.asm.commons.SimpleRemapper;

/**
 * Opens the parts of the JDK that recording needs, and puts the hook there that woven code calls.
 * The hook lives in {@code java.lang}, because that is the one package that every class loader must
 * leave to the boot loader.
 */
final class JdkAccess {
  /** The hook, as woven code names it. */
  static final String HOOK = "java/lang/KymoProbe";

  private static final String CLOCK = "java/lang/KymoTsc";

  private static final String PROBE = "dev/kymo/recorder/Probe";

  private JdkAccess() {}

  /** Defines a class in the boot loader. */
  @FunctionalInterface
  interface Definer {
    void define(String name, byte[] bytes) throws ReflectiveOperationException;
  }

  /** Opens to this agent what it needs; returns the way into the boot loader. */
  static Definer open(Instrumentation instrumentation) throws ReflectiveOperationException {
    Set<Module> us = Set.of(JdkAccess.class.getModule());
    instrumentation.redefineModule(
        Object.class.getModule(),
        Set.of(),
        Map.of("jdk.internal.misc", us),
        Map.of("java.lang", us),
        Set.of(),
        Map.of());
    Class<?> type = Class.forName("jdk.internal.misc.Unsafe");
    Object unsafe = type.getMethod("getUnsafe").invoke(null);
    Method define =
        type.getMethod(
            "defineClass",
            String.class,
            byte[].class,
            int.class,
            int.class,
            ClassLoader.class,
            ProtectionDomain.class);
    return (name, bytes) -> define.invoke(unsafe, name, bytes, 0, bytes.length, null, null);
  }

  /** Lets the JDK's base and the recorder, now in the boot loader, see each other. */
  static void connect(Instrumentation instrumentation, Class<?> recorder) {
    Set<Module> it = Set.of(recorder.getModule());
    instrumentation.redefineModule(
        Object.class.getModule(),
        it,
        Map.of("jdk.internal.misc", it, "jdk.internal.access", it),
        Map.of(),
        Set.of(),
        Map.of());
  }

  /** Puts the clock into the JDK's base, which may make native calls without a warning. */
  static void defineClock(byte[] tscClock) throws IllegalAccessException {
    ClassReader reader = new ClassReader(tscClock);
    ClassWriter writer = new ClassWriter(0);
    reader.accept(
        new ClassRemapper(writer, new SimpleRemapper(Opcodes.ASM9, reader.getClassName(), CLOCK)),
        0);
    defineInJavaLang(CLOCK, writer.toByteArray());
  }

  static void defineHook() throws IllegalAccessException {
    defineInJavaLang(HOOK, hook());
  }

  private static void defineInJavaLang(String name, byte[] bytes) throws IllegalAccessException {
    try {
      Class.forName(name.replace('/', '.'), false, null);
    } catch (ClassNotFoundException e) {
      MethodHandles.privateLookupIn(Object.class, MethodHandles.lookup()).defineClass(bytes);
    }
  }

  private static byte[] hook() {
    ClassWriter writer = new ClassWriter(0);
    writer.visit(
        V17,
        ACC_PUBLIC | ACC_FINAL | ACC_SUPER | ACC_SYNTHETIC,
        HOOK,
        null,
        "java/lang/Object",
        null);
    for (String name : new String[] {"enter", "leave", "unwind"}) {
      MethodVisitor method = writer.visitMethod(ACC_PUBLIC | ACC_STATIC, name, "(I)V", null, null);
      method.visitAnnotation("Ljdk/internal/vm/annotation/ForceInline;", true).visitEnd();
      method.visitCode();
      method.visitVarInsn(ILOAD, 0);
      method.visitMethodInsn(INVOKESTATIC, PROBE, name, "(I)V", false);
      method.visitInsn(RETURN);
      method.visitMaxs(1, 1);
      method.visitEnd();
    }
    writer.visitEnd();
    return writer.toByteArray();
  }
}
