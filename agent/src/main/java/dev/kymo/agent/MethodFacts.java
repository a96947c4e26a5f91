package dev.kymo.agent;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
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

/**
 * What decides whether a method is worth its probes.
 *
 * @param size bytes of code, at most
 * @param locals slots of local variables
 * @param returns number of places where it returns
 * @param line first line in the source, 0 if unknown
 */
record MethodFacts(
    String name,
    String descriptor,
    int access,
    int size,
    int locals,
    int returns,
    int line,
    boolean hasCalls,
    boolean hasLoops) {

  /** Of classes that are there to record events, and are no part of what is recorded. */
  private static final String UNRECORDED = "Ldev/kymo/api/Unrecorded;";

  /** Of methods that the JIT compiler has code of its own for, where probes would be missing. */
  private static final String INTRINSIC = "IntrinsicCandidate;";

  /**
   * All methods of a class that can have probes, by name and descriptor; none of an unrecorded
   * class.
   *
   * @param without gets the names of those that cannot
   */
  static Map<String, MethodFacts> of(ClassReader reader, Set<String> without) {
    Map<String, MethodFacts> facts = new HashMap<>();
    reader.accept(
        new ClassVisitor(Opcodes.ASM9) {
          private boolean unrecorded;

          @Override
          public @Nullable AnnotationVisitor visitAnnotation(String type, boolean visible) {
            unrecorded |= type.equals(UNRECORDED);
            return null;
          }

          @Override
          public void visitEnd() {
            if (unrecorded) {
              facts.clear();
              without.clear();
            }
          }

          @Override
          public MethodVisitor visitMethod(
              int access,
              String name,
              String descriptor,
              @Nullable String signature,
              String @Nullable [] exceptions) {
            if ((access & Opcodes.ACC_NATIVE) != 0) {
              without.add(name);
            }
            return new Counter(access, name, descriptor, facts, without);
          }
        },
        ClassReader.SKIP_FRAMES);
    return facts;
  }

  private static final class Counter extends CodeSizeEvaluator {
    private final int access;
    private final String name;
    private final String descriptor;
    private final Map<String, MethodFacts> facts;
    private final Set<String> without;
    private final Set<Label> seen = new HashSet<>();
    private boolean code;
    private boolean intrinsic;
    private int locals;
    private int returns;
    private int line;
    private boolean calls;
    private boolean loops;

    Counter(
        int access,
        String name,
        String descriptor,
        Map<String, MethodFacts> facts,
        Set<String> without) {
      super(Opcodes.ASM9, null);
      this.access = access;
      this.name = name;
      this.descriptor = descriptor;
      this.facts = facts;
      this.without = without;
    }

    @Override
    public @Nullable AnnotationVisitor visitAnnotation(String type, boolean visible) {
      intrinsic |= type.endsWith(INTRINSIC);
      return null;
    }

    @Override
    public void visitCode() {
      code = true;
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
      if (intrinsic) {
        without.add(name);
      } else if (code) {
        facts.put(
            name + descriptor,
            new MethodFacts(
                name, descriptor, access, getMaxSize(), locals, returns, line, calls, loops));
      }
    }
  }
}
