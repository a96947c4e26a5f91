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
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Attribute;
import org.objectweb.asm.ByteVector;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
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
  public static final String ENTRY = AgentMain.ENTRY;

  /** Where the build has moved it. */
  private static final String ASM = "dev/kymo/agent/asm/";

  private static final Pattern NAME_OF_ASM = Pattern.compile(ASM + "[\\w$/]+");

  private static final String ENTRANCE = "dev/kymo/agent/AgentMain";
  private static final String DEFINER = "dev/kymo/agent/BootClasses";
  private static final String PROBE = "dev/kymo/recorder/ring/Probe";
  private static final String STATEMENTS = "dev/kymo/recorder/messages/Statements";
  private static final String TSC = "dev/kymo/recorder/platform/TscClock";
  private static final String OBJECT = "java/lang/Object";
  private static final String RUNTIME = "java/lang/Runtime";
  private static final String UNSAFE = "jdk/internal/misc/Unsafe";
  private static final String FORCE_INLINE = "Ljdk/internal/vm/annotation/ForceInline;";
  private static final String DONT_INLINE = "Ljdk/internal/vm/annotation/DontInline;";

  private Preparation() {}

  /** Whether a class stays in the jar as it is; see {@link #synthetic}. */
  public static boolean isEntrance(String name) {
    return name.equals(ENTRANCE);
  }

  /** Whether a class is used in programs: not what only this class needs. */
  public static boolean isUsed(String name) {
    return !name.startsWith("dev/kymo/agent/Preparation") && !name.endsWith("/package-info");
  }

  /** Whether only an agent that records alone uses a class. */
  private static boolean isAlone(String name) {
    return name.startsWith("dev/kymo/agent/alone/") || name.startsWith("dev/kymo/drain/");
  }

  /**
   * A class that other agents leave out, if it is not in the boot loader: it is marked as one that
   * no source has, and its methods have the attribute by which AspectJ knows its own.
   */
  public static byte[] synthetic(byte[] classFile) {
    ClassReader reader = new ClassReader(classFile);
    ClassWriter writer = new ClassWriter(0);
    reader.accept(
        new ClassVisitor(Opcodes.ASM9, writer) {
          @Override
          public void visit(
              int version,
              int access,
              String name,
              @Nullable String signature,
              String parent,
              String @Nullable [] interfaces) {
            super.visit(version, access | ACC_SYNTHETIC, name, signature, parent, interfaces);
          }

          @Override
          public MethodVisitor visitMethod(
              int access,
              String name,
              String descriptor,
              @Nullable String signature,
              String @Nullable [] exceptions) {
            MethodVisitor next = super.visitMethod(access, name, descriptor, signature, exceptions);
            next.visitAttribute(new WovenByNobody());
            return next;
          }
        },
        0);
    return writer.toByteArray();
  }

  /**
   * The bytes that {@link AgentMain} and {@link BootClasses} read:
   *
   * <pre>
   *   class BootClasses
   *   class of {@link #access}
   *   bytes u4; classes u4, each: class     always used; superclasses and interfaces before others
   *   bytes u4; classes u4, each: class     used by an agent that records alone
   *   class of the clock
   *   classes of the hook for inlined probes, and for called probes
   *   classes of inlined probes, and of called probes
   *
   *   class: name, bytes u4, the bytes
   * </pre>
   *
   * @param classes class files by name
   */
  public static byte[] write(Map<String, byte[]> classes) throws IOException {
    Map<String, byte[]> left = withoutUnusedAsm(classes);
    byte[] clock = left.remove(TSC);
    byte[] definer = left.remove(DEFINER);
    byte[] probe = left.get(PROBE);
    if (clock == null || definer == null || probe == null) {
      throw new IOException("classes are missing: found=" + classes.keySet());
    }
    List<byte[]> always = new ArrayList<>();
    List<byte[]> alone = new ArrayList<>();
    while (!left.isEmpty()) {
      take(left.keySet().iterator().next(), left, always, alone);
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    write(out, List.of(synthetic(definer), access()));
    writeGroup(out, always);
    writeGroup(out, alone);
    write(
        out,
        List.of(clock(clock), hook(FORCE_INLINE), hook(DONT_INLINE), probe, notInlined(probe)));
    return bytes.toByteArray();
  }

  /**
   * All classes but those of ASM that no other class refers to, not even through ASM's classes. Any
   * name in a class file counts.
   */
  static Map<String, byte[]> withoutUnusedAsm(Map<String, byte[]> classes) {
    Set<String> used = new HashSet<>();
    Deque<String> next = new ArrayDeque<>();
    classes.keySet().stream().filter(name -> !name.startsWith(ASM)).forEach(next::add);
    while (!next.isEmpty()) {
      String name = next.remove();
      byte[] classFile = classes.get(name);
      if (classFile != null && used.add(name)) {
        String text = new String(classFile, StandardCharsets.ISO_8859_1);
        NAME_OF_ASM.matcher(text).results().map(MatchResult::group).forEach(next::add);
      }
    }
    Map<String, byte[]> all = new LinkedHashMap<>(classes);
    all.keySet().retainAll(used);
    return all;
  }

  private static void writeGroup(DataOutputStream out, List<byte[]> classFiles) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream group = new DataOutputStream(bytes);
    group.writeInt(classFiles.size());
    write(group, classFiles);
    out.writeInt(bytes.size());
    bytes.writeTo(out);
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

  private static void take(
      String name, Map<String, byte[]> left, List<byte[]> always, List<byte[]> alone) {
    byte[] bytes = left.remove(name);
    if (bytes != null) {
      ClassReader reader = new ClassReader(bytes);
      take(reader.getSuperName(), left, always, alone);
      for (String parent : reader.getInterfaces()) {
        take(parent, left, always, alone);
      }
      (isAlone(name) ? alone : always).add(bytes);
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

  /** An empty attribute; the virtual machine ignores what it does not know. */
  private static final class WovenByNobody extends Attribute {
    WovenByNobody() {
      super("org.aspectj.weaver.AjSynthetic");
    }

    @Override
    protected ByteVector write(
        ClassWriter writer, byte @Nullable [] code, int length, int stack, int locals) {
      return new ByteVector();
    }
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
