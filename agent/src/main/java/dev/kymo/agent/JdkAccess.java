package dev.kymo.agent;

import static org.objectweb.asm.Opcodes.ACC_FINAL;
import static org.objectweb.asm.Opcodes.ACC_PUBLIC;
import static org.objectweb.asm.Opcodes.ACC_STATIC;
import static org.objectweb.asm.Opcodes.ACC_SUPER;
import static org.objectweb.asm.Opcodes.ACC_SYNTHETIC;
import static org.objectweb.asm.Opcodes.ILOAD;
import static org.objectweb.asm.Opcodes.INVOKESTATIC;
import static org.objectweb.asm.Opcodes.LLOAD;
import static org.objectweb.asm.Opcodes.LRETURN;
import static org.objectweb.asm.Opcodes.RETURN;
import static org.objectweb.asm.Opcodes.V17;

import java.lang.instrument.Instrumentation;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
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

  /** Descriptor of the hook for an enter: method; returns the token for the end. */
  static final String ENTER = "(I)J";

  /** Descriptor of the hooks for an end: method and token. */
  static final String END = "(IJ)V";

  private static final String FORCE_INLINE = "Ljdk/internal/vm/annotation/ForceInline;";
  private static final String DONT_INLINE = "Ljdk/internal/vm/annotation/DontInline;";

  private static final String WEAVER = "libkymo-weaver.so";

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
        Map.of("java.lang", us, "java.util.concurrent.locks", us),
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

  /**
   * Loads the weaver's machine code, without the warning that Java 24 and later print for it; false
   * where there is none.
   *
   * @param jar the agent's, which it lies beside
   */
  static boolean load(String jar, Class<?> type) {
    Path library = Path.of(jar).resolveSibling(WEAVER);
    if (!Files.isReadable(library)) {
      return false;
    }
    try {
      Method load = Runtime.class.getDeclaredMethod("load0", Class.class, String.class);
      load.setAccessible(true);
      load.invoke(Runtime.getRuntime(), type, library.toString());
      return true;
    } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
      return false; // built for another machine, or no file may be executed here
    }
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

  /**
   * Puts the hook there; once in the life of a process.
   *
   * @param inlined whether the JIT compiler is to make the probes a part of each method. Recording
   *     a call costs less then. But it compiles a program for longer, and under a budget what is
   *     called often is not recorded anyway.
   */
  static void defineHook(boolean inlined) throws IllegalAccessException {
    defineInJavaLang(HOOK, hook(inlined ? FORCE_INLINE : DONT_INLINE));
  }

  /** The probes, called as the hook calls them that is not inlined. */
  static byte[] notInlined(byte[] probe) {
    Set<String> probes = Set.of("enter", "leave", "unwind");
    return JdkClass.changed(
        probe,
        (access, name, descriptor, next) -> probes.contains(name) ? new NotInlined(next) : next);
  }

  /** A visitor of its own: the writer alone would copy the method as it was. */
  private static final class NotInlined extends MethodVisitor {
    NotInlined(MethodVisitor next) {
      super(Opcodes.ASM9, next);
    }

    @Override
    public void visitCode() {
      super.visitAnnotation(DONT_INLINE, true).visitEnd();
      super.visitCode();
    }
  }

  private static void defineInJavaLang(String name, byte[] bytes) throws IllegalAccessException {
    try {
      Class.forName(name.replace('/', '.'), false, null);
    } catch (ClassNotFoundException e) {
      MethodHandles.privateLookupIn(Object.class, MethodHandles.lookup()).defineClass(bytes);
    }
  }

  private static byte[] hook(String annotation) {
    ClassWriter writer = new ClassWriter(0);
    writer.visit(
        V17,
        ACC_PUBLIC | ACC_FINAL | ACC_SUPER | ACC_SYNTHETIC,
        HOOK,
        null,
        "java/lang/Object",
        null);
    hook(writer, "enter", ENTER, LRETURN, annotation);
    hook(writer, "leave", END, RETURN, annotation);
    hook(writer, "unwind", END, RETURN, annotation);
    writer.visitEnd();
    return writer.toByteArray();
  }

  private static void hook(
      ClassWriter writer, String name, String descriptor, int returns, String annotation) {
    MethodVisitor method =
        writer.visitMethod(ACC_PUBLIC | ACC_STATIC, name, descriptor, null, null);
    method.visitAnnotation(annotation, true).visitEnd();
    method.visitCode();
    method.visitVarInsn(ILOAD, 0);
    if (descriptor.equals(END)) {
      method.visitVarInsn(LLOAD, 1);
    }
    method.visitMethodInsn(INVOKESTATIC, PROBE, name, descriptor, false);
    method.visitInsn(returns);
    method.visitMaxs(3, 3);
    method.visitEnd();
  }
}
