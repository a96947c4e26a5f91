package dev.kymo.agent.weave;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.AnnotationVisitor;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.commons.CodeSizeEvaluator;

/** Finds the facts of a class with ASM. */
final class AsmFacts extends ClassVisitor {
  /** Annotation of classes that exist to record events, and are not recorded themselves. */
  private static final String UNRECORDED = "Ldev/kymo/api/Unrecorded;";

  /** Annotation of methods for which the JIT compiler has its own code. */
  private static final String INTRINSIC = "IntrinsicCandidate;";

  /** Mask of the class file's flags; flags beyond these are ASM's own. */
  private static final int IN_CLASS_FILES = 0xFFFF;

  private final List<MethodFacts> methods = new ArrayList<>();
  private String source = "";
  private boolean unrecorded;

  private AsmFacts() {
    super(Opcodes.ASM9);
  }

  static ClassFacts of(byte[] classFile) {
    AsmFacts facts = new AsmFacts();
    new ClassReader(classFile).accept(facts, ClassReader.SKIP_FRAMES);
    return new ClassFacts(facts.source, facts.unrecorded ? List.of() : facts.methods);
  }

  @Override
  public void visitSource(@Nullable String file, @Nullable String debug) {
    source = file == null ? "" : file;
  }

  @Override
  public @Nullable AnnotationVisitor visitAnnotation(String type, boolean visible) {
    unrecorded |= type.equals(UNRECORDED);
    return null;
  }

  @Override
  public MethodVisitor visitMethod(
      int access,
      String name,
      String descriptor,
      @Nullable String signature,
      String @Nullable [] exceptions) {
    return new Counter(access, name, descriptor, methods);
  }

  private static final class Counter extends CodeSizeEvaluator {
    private final int access;
    private final String name;
    private final String descriptor;
    private final List<MethodFacts> facts;
    private final Set<Label> seen = new HashSet<>();
    private boolean intrinsic;
    private int locals;
    private int returns;
    private int line;
    private boolean calls;
    private boolean loops;

    Counter(int access, String name, String descriptor, List<MethodFacts> facts) {
      super(Opcodes.ASM9, null);
      this.access = access & IN_CLASS_FILES;
      this.name = name;
      this.descriptor = descriptor;
      this.facts = facts;
    }

    @Override
    public @Nullable AnnotationVisitor visitAnnotation(String type, boolean visible) {
      intrinsic |= type.endsWith(INTRINSIC);
      return null;
    }

    @Override
    public void visitLineNumber(int number, Label start) {
      line = line == 0 ? number : line;
    }

    @Override
    public void visitLabel(Label label) {
      seen.add(label);
    }

    @Override
    public void visitInsn(int opcode) {
      super.visitInsn(opcode);
      if (opcode >= Opcodes.IRETURN && opcode <= Opcodes.RETURN) {
        returns++;
      }
    }

    @Override
    public void visitJumpInsn(int opcode, Label label) {
      super.visitJumpInsn(opcode, label);
      loops |= seen.contains(label);
    }

    @Override
    public void visitTableSwitchInsn(int min, int max, Label deflt, Label... labels) {
      super.visitTableSwitchInsn(min, max, deflt, labels);
      loops |= seen.contains(deflt);
    }

    @Override
    public void visitMethodInsn(
        int opcode, String owner, String method, String type, boolean isInterface) {
      super.visitMethodInsn(opcode, owner, method, type, isInterface);
      calls = true;
    }

    @Override
    public void visitInvokeDynamicInsn(
        String method, String type, Handle bootstrap, Object... arguments) {
      super.visitInvokeDynamicInsn(method, type, bootstrap, arguments);
      calls = true;
    }

    @Override
    public void visitMaxs(int maxStack, int maxLocals) {
      locals = maxLocals;
    }

    @Override
    public void visitEnd() {
      facts.add(
          new MethodFacts(
              name,
              descriptor,
              access,
              getMaxSize(),
              locals,
              returns,
              line,
              calls,
              loops,
              intrinsic));
    }
  }
}
