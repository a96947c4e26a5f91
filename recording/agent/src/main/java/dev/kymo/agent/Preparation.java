package dev.kymo.agent;

import static org.objectweb.asm.Opcodes.ACC_FINAL;
import static org.objectweb.asm.Opcodes.ACC_PUBLIC;
import static org.objectweb.asm.Opcodes.ACC_STATIC;
import static org.objectweb.asm.Opcodes.ACC_SUPER;
import static org.objectweb.asm.Opcodes.ACC_SYNTHETIC;
import static org.objectweb.asm.Opcodes.ACONST_NULL;
import static org.objectweb.asm.Opcodes.ALOAD;
import static org.objectweb.asm.Opcodes.ARETURN;
import static org.objectweb.asm.Opcodes.ARRAYLENGTH;
import static org.objectweb.asm.Opcodes.CHECKCAST;
import static org.objectweb.asm.Opcodes.ICONST_0;
import static org.objectweb.asm.Opcodes.IFNONNULL;
import static org.objectweb.asm.Opcodes.ILOAD;
import static org.objectweb.asm.Opcodes.INVOKESPECIAL;
import static org.objectweb.asm.Opcodes.INVOKESTATIC;
import static org.objectweb.asm.Opcodes.INVOKEVIRTUAL;
import static org.objectweb.asm.Opcodes.IRETURN;
import static org.objectweb.asm.Opcodes.POP;
import static org.objectweb.asm.Opcodes.RETURN;
import static org.objectweb.asm.Opcodes.V17;

import dev.kymo.agent.weave.JdkAccess;
import dev.kymo.agent.weave.JdkClass;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.commons.ClassRemapper;
import org.objectweb.asm.commons.SimpleRemapper;

/**
 * Makes, in the build, what each starting program would otherwise have to make: the class files
 * that {@link BootClasses} defines, one after the other. {@code config/PreparedAgent} calls it by
 * name.
 */
public final class Preparation {
  /** The jar's entry that contains them; see {@link #write}. */
  public static final String ENTRY = "boot-classes";

  private static final String PROBE = "dev/kymo/recorder/ring/Probe";
  private static final String STATEMENTS = "dev/kymo/recorder/messages/Statements";
  private static final String TSC = "dev/kymo/recorder/platform/TscClock";
  private static final String OBJECT = "java/lang/Object";
  private static final String RUNTIME = "java/lang/Runtime";
  private static final String UNSAFE = "jdk/internal/misc/Unsafe";
  private static final String FORCE_INLINE = "Ljdk/internal/vm/annotation/ForceInline;";
  private static final String DONT_INLINE = "Ljdk/internal/vm/annotation/DontInline;";

  private Preparation() {}

  /** Whether a class is one of them; others stay in the jar. */
  public static boolean isOfBootLoader(String name) {
    return name.startsWith("dev/kymo/recorder/") || name.startsWith("dev/kymo/format/");
  }

  /**
   * The bytes that {@link BootClasses} reads: {@link #access}; the number of the recorder's classes
   * and these classes, superclasses and interfaces before others; then one class each: the clock,
   * the hook for inlined probes and the hook for called probes, the class of inlined probes and the
   * class of called probes. A class is its name, its number of bytes, and the bytes.
   *
   * @param classes class files by name
   */
  public static byte[] write(Map<String, byte[]> classes) throws IOException {
    Map<String, byte[]> left = new LinkedHashMap<>(classes);
    byte[] clock = left.remove(TSC);
    byte[] probe = left.get(PROBE);
    if (clock == null || probe == null) {
      throw new IOException("classes are missing: found=" + classes.keySet());
    }
    List<byte[]> ordered = new ArrayList<>();
    while (!left.isEmpty()) {
      take(left.keySet().iterator().next(), left, ordered);
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    write(out, List.of(access()));
    out.writeInt(ordered.size());
    write(out, ordered);
    write(
        out,
        List.of(clock(clock), hook(FORCE_INLINE), hook(DONT_INLINE), probe, notInlined(probe)));
    return bytes.toByteArray();
  }

  private static void write(DataOutputStream out, List<byte[]> classFiles) throws IOException {
    for (byte[] classFile : classFiles) {
      out.writeUTF(new ClassReader(classFile).getClassName());
      out.writeInt(classFile.length);
      out.write(classFile);
    }
  }

  /**
   * A class in {@code java.lang} that does what no other class may do. It is not written in Java,
   * because it would have to be compiled as a part of the JDK. Reflection would take up to 20 ms
   * for each kind of method.
   *
   * <pre>
   *   accept(null, bytes) Unsafe.getUnsafe().defineClass(null, bytes, 0, bytes.length, null, null)
   *   accept(type, path)  Runtime.getRuntime().load0(type, path)
   *   get()               jdk.internal.ref.CleanerFactory.cleaner()
   * </pre>
   */
  private static byte[] access() {
    ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_FRAMES);
    writer.visit(
        V17,
        ACC_PUBLIC | ACC_FINAL | ACC_SUPER | ACC_SYNTHETIC,
        JdkAccess.ACCESS,
        null,
        OBJECT,
        new String[] {"java/util/function/BiConsumer", "java/util/function/Supplier"});
    MethodVisitor made = writer.visitMethod(ACC_PUBLIC, "<init>", "()V", null, null);
    made.visitCode();
    made.visitVarInsn(ALOAD, 0);
    made.visitMethodInsn(INVOKESPECIAL, OBJECT, "<init>", "()V", false);
    made.visitInsn(RETURN);
    made.visitMaxs(0, 0);
    made.visitEnd();
    accept(
        writer.visitMethod(
            ACC_PUBLIC, "accept", "(Ljava/lang/Object;Ljava/lang/Object;)V", null, null));
    MethodVisitor get = writer.visitMethod(ACC_PUBLIC, "get", "()Ljava/lang/Object;", null, null);
    get.visitCode();
    get.visitMethodInsn(
        INVOKESTATIC,
        "jdk/internal/ref/CleanerFactory",
        "cleaner",
        "()Ljava/lang/ref/Cleaner;",
        false);
    get.visitInsn(ARETURN);
    get.visitMaxs(0, 0);
    get.visitEnd();
    writer.visitEnd();
    return writer.toByteArray();
  }

  private static void accept(MethodVisitor method) {
    Label loads = new Label();
    method.visitCode();
    method.visitVarInsn(ALOAD, 1);
    method.visitJumpInsn(IFNONNULL, loads);
    method.visitMethodInsn(INVOKESTATIC, UNSAFE, "getUnsafe", "()L" + UNSAFE + ";", false);
    method.visitInsn(ACONST_NULL);
    method.visitVarInsn(ALOAD, 2);
    method.visitTypeInsn(CHECKCAST, "[B");
    method.visitInsn(ICONST_0);
    method.visitVarInsn(ALOAD, 2);
    method.visitTypeInsn(CHECKCAST, "[B");
    method.visitInsn(ARRAYLENGTH);
    method.visitInsn(ACONST_NULL);
    method.visitInsn(ACONST_NULL);
    method.visitMethodInsn(
        INVOKEVIRTUAL,
        UNSAFE,
        "defineClass",
        "(Ljava/lang/String;[BIILjava/lang/ClassLoader;Ljava/security/ProtectionDomain;)Ljava/lang/Class;",
        false);
    method.visitInsn(POP);
    method.visitInsn(RETURN);
    method.visitLabel(loads);
    method.visitMethodInsn(INVOKESTATIC, RUNTIME, "getRuntime", "()L" + RUNTIME + ";", false);
    method.visitVarInsn(ALOAD, 1);
    method.visitTypeInsn(CHECKCAST, "java/lang/Class");
    method.visitVarInsn(ALOAD, 2);
    method.visitTypeInsn(CHECKCAST, "java/lang/String");
    method.visitMethodInsn(
        INVOKEVIRTUAL, RUNTIME, "load0", "(Ljava/lang/Class;Ljava/lang/String;)V", false);
    method.visitInsn(RETURN);
    method.visitMaxs(0, 0);
    method.visitEnd();
  }

  private static void take(String name, Map<String, byte[]> left, List<byte[]> ordered) {
    byte[] bytes = left.remove(name);
    if (bytes != null) {
      ClassReader reader = new ClassReader(bytes);
      take(reader.getSuperName(), left, ordered);
      for (String parent : reader.getInterfaces()) {
        take(parent, left, ordered);
      }
      ordered.add(bytes);
    }
  }

  private static byte[] clock(byte[] tscClock) {
    ClassReader reader = new ClassReader(tscClock);
    ClassWriter writer = new ClassWriter(0);
    SimpleRemapper names = new SimpleRemapper(Opcodes.ASM9, reader.getClassName(), JdkAccess.CLOCK);
    reader.accept(new ClassRemapper(writer, names), 0);
    return writer.toByteArray();
  }

  /** The probes as the hook that is not inlined calls them. */
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

  private static byte[] hook(String annotation) {
    ClassWriter writer = new ClassWriter(0);
    writer.visit(
        V17,
        ACC_PUBLIC | ACC_FINAL | ACC_SUPER | ACC_SYNTHETIC,
        JdkAccess.HOOK,
        null,
        OBJECT,
        null);
    hook(writer, "enter", PROBE, "enter", JdkAccess.ENTER, annotation);
    hook(writer, "leave", PROBE, "leave", JdkAccess.END, annotation);
    hook(writer, "unwind", PROBE, "unwind", JdkAccess.END, annotation);
    hook(writer, JdkAccess.PREPARED, STATEMENTS, "prepared", JdkAccess.TEXT, annotation);
    hook(writer, JdkAccess.BATCHED, STATEMENTS, "batched", JdkAccess.TEXT, annotation);
    hook(writer, JdkAccess.EXECUTE, STATEMENTS, "begin", JdkAccess.BEGIN, annotation);
    hook(writer, JdkAccess.EXECUTED, STATEMENTS, "end", JdkAccess.ENDED, annotation);
    writer.visitEnd();
    return writer.toByteArray();
  }

  /** A method that passes its arguments on to another one of the same descriptor. */
  private static void hook(
      ClassWriter writer,
      String name,
      String owner,
      String target,
      String descriptor,
      String annotation) {
    MethodVisitor method =
        writer.visitMethod(ACC_PUBLIC | ACC_STATIC, name, descriptor, null, null);
    method.visitAnnotation(annotation, true).visitEnd();
    method.visitCode();
    int local = 0;
    for (Type argument : Type.getArgumentTypes(descriptor)) {
      method.visitVarInsn(argument.getOpcode(ILOAD), local);
      local += argument.getSize();
    }
    method.visitMethodInsn(INVOKESTATIC, owner, target, descriptor, false);
    method.visitInsn(Type.getReturnType(descriptor).getOpcode(IRETURN));
    method.visitMaxs(3, 3);
    method.visitEnd();
  }
}
