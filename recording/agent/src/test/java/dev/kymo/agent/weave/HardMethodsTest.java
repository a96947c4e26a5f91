package dev.kymo.agent.weave;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Methods that are left to ASM: what it writes must verify, or the method stays as it was. */
class HardMethodsTest {
  private static final String NAME = "Made";
  private static final int MOST_LOCALS = 65_535;
  private static final int LONGEST_JUMP = 32_767;

  /** So many that leaves before them are too long, and jumps instead of them are not. */
  private static final int RETURNS = 700;

  private final Set<Integer> refused = new TreeSet<>();

  /** As Groovy calls the constructor that fits the arguments: each case has a call of its own. */
  @ParameterizedTest
  @ValueSource(ints = {Opcodes.V1_5, Opcodes.V1_6, Opcodes.V17})
  void aConstructorThatCallsOneOfSeveral(int version) {
    byte[] original = made(version, "<init>", "(I)V", HardMethodsTest::severalCalls);
    link(original);

    byte[] woven = weave(original);

    link(woven);
    assertThat(refused).isEmpty();
    assertThat(calls(woven)).containsExactly("enter", "enter", "leave", "unwind");
  }

  /** Code after one call goes before another one: it runs with and without a begun call. */
  private static void severalCalls(MethodVisitor code) {
    Label one = new Label();
    Label other = new Label();
    Label done = new Label();
    code.visitVarInsn(Opcodes.ALOAD, 0);
    code.visitVarInsn(Opcodes.ILOAD, 1);
    code.visitTableSwitchInsn(0, 0, other, one);
    Object[] locals = {Opcodes.UNINITIALIZED_THIS, Opcodes.INTEGER};
    Object[] stack = {Opcodes.UNINITIALIZED_THIS};
    code.visitLabel(one);
    code.visitFrame(Opcodes.F_NEW, 2, locals, 1, stack);
    code.visitMethodInsn(
        Opcodes.INVOKESPECIAL, "java/lang/RuntimeException", "<init>", "()V", false);
    code.visitJumpInsn(Opcodes.GOTO, done);
    code.visitLabel(other);
    code.visitFrame(Opcodes.F_NEW, 2, locals, 1, stack);
    code.visitLdcInsn("text");
    code.visitMethodInsn(
        Opcodes.INVOKESPECIAL,
        "java/lang/RuntimeException",
        "<init>",
        "(Ljava/lang/String;)V",
        false);
    code.visitLabel(done);
    code.visitFrame(Opcodes.F_NEW, 2, new Object[] {NAME, Opcodes.INTEGER}, 0, new Object[0]);
    code.visitMethodInsn(Opcodes.INVOKESTATIC, "java/lang/Thread", "onSpinWait", "()V", false);
    code.visitInsn(Opcodes.RETURN);
  }

  @Test
  void noVariableIsLeftForTheToken() {
    byte[] original =
        made(
            Opcodes.V17,
            "full",
            "()I",
            code -> {
              code.visitInsn(Opcodes.ICONST_1);
              code.visitVarInsn(Opcodes.ISTORE, MOST_LOCALS - 1);
              code.visitInsn(Opcodes.ICONST_2);
              code.visitInsn(Opcodes.IRETURN);
            });
    link(original);

    byte[] woven = weave(original);

    link(woven);
    assertThat(refused).containsExactly(0);
    assertThat(calls(woven)).isEmpty();
  }

  /** A leave before each return would make it longer than what HotSpot compiles. */
  @Test
  void manyReturnsHaveOneLeave() {
    byte[] original = made(Opcodes.V17, "many", "(I)J", code -> manyReturns(code, new Object[0]));
    link(original);

    byte[] woven = weave(original);

    link(woven);
    assertThat(refused).isEmpty();
    assertThat(calls(woven)).containsExactly("enter", "leave", "unwind");
  }

  /** Where more than the result is on the stack, returns cannot come together. */
  @Test
  void returnsThatCannotHaveOneLeaveAreRefused() {
    byte[] original =
        made(
            Opcodes.V17,
            "many",
            "(I)J",
            code -> {
              code.visitInsn(Opcodes.ICONST_0);
              manyReturns(code, new Object[] {Opcodes.INTEGER});
            });
    link(original);

    byte[] woven = weave(original);

    link(woven);
    assertThat(refused).containsExactly(0);
    assertThat(calls(woven)).isEmpty();
  }

  private static void manyReturns(MethodVisitor code, Object[] below) {
    Label[] labels = new Label[RETURNS];
    Arrays.setAll(labels, i -> new Label());
    code.visitVarInsn(Opcodes.ILOAD, 0);
    code.visitTableSwitchInsn(0, RETURNS - 1, labels[0], labels);
    for (Label label : labels) {
      code.visitLabel(label);
      code.visitFrame(Opcodes.F_NEW, 1, new Object[] {Opcodes.INTEGER}, below.length, below);
      code.visitInsn(Opcodes.LCONST_1);
      code.visitInsn(Opcodes.LRETURN);
    }
  }

  /** Where probes make a method so long that a jump does not reach its target any more. */
  @Test
  void aJumpThatGetsTooLong() {
    byte[] original = made(Opcodes.V17, "far", "(I)J", HardMethodsTest::longJump);
    link(original);

    byte[] woven = weave(original);

    link(woven);
    assertThat(refused).isEmpty();
    assertThat(calls(woven)).containsExactly("enter", "leave", "leave", "unwind");
  }

  private static void longJump(MethodVisitor code) {
    Label end = new Label();
    Label middle = new Label();
    Object[] locals = {Opcodes.INTEGER};
    code.visitVarInsn(Opcodes.ILOAD, 0);
    code.visitJumpInsn(Opcodes.IFEQ, end);
    code.visitVarInsn(Opcodes.ILOAD, 0);
    code.visitJumpInsn(Opcodes.IFLT, middle);
    code.visitInsn(Opcodes.LCONST_0);
    code.visitInsn(Opcodes.LRETURN);
    code.visitLabel(middle);
    code.visitFrame(Opcodes.F_NEW, 1, locals, 0, new Object[0]);
    for (int i = 0; i < LONGEST_JUMP - 20; i++) {
      code.visitInsn(Opcodes.NOP);
    }
    code.visitLabel(end);
    code.visitFrame(Opcodes.F_NEW, 1, locals, 0, new Object[0]);
    code.visitInsn(Opcodes.LCONST_1);
    code.visitInsn(Opcodes.LRETURN);
  }

  private byte[] weave(byte[] original) {
    return AsmWeaver.weave(original, AsmFacts.of(original), new int[] {1}, refused);
  }

  /** A class with one method; maxs are found, frames are as the code says. */
  private static byte[] made(
      int version, String name, String descriptor, Consumer<MethodVisitor> code) {
    boolean constructor = name.equals("<init>");
    ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
    writer.visit(
        version, Opcodes.ACC_PUBLIC, NAME, null, "java/lang/RuntimeException", new String[0]);
    int access = constructor ? Opcodes.ACC_PUBLIC : Opcodes.ACC_PUBLIC | Opcodes.ACC_STATIC;
    MethodVisitor method = writer.visitMethod(access, name, descriptor, null, null);
    method.visitCode();
    code.accept(method);
    method.visitMaxs(0, 0);
    method.visitEnd();
    return writer.toByteArray();
  }

  /** What of the hook it calls, in the order of the code. */
  private static List<String> calls(byte[] classFile) {
    List<String> calls = new ArrayList<>();
    new ClassReader(classFile)
        .accept(
            new ClassVisitor(Opcodes.ASM9) {
              @Override
              public MethodVisitor visitMethod(
                  int access, String name, String type, String signature, String[] exceptions) {
                return new MethodVisitor(Opcodes.ASM9) {
                  @Override
                  public void visitMethodInsn(
                      int opcode, String owner, String called, String of, boolean isInterface) {
                    if (owner.equals(JdkAccess.HOOK)) {
                      calls.add(called);
                    }
                  }
                };
              }
            },
            0);
    return calls;
  }

  /** Has it verified. */
  private static void link(byte[] classFile) {
    Class<?> type =
        new ClassLoader() {
          Class<?> define() {
            return defineClass(NAME, classFile, 0, classFile.length);
          }
        }.define();
    assertThat(Set.of(Objects.requireNonNull(type.getDeclaredConstructors()))).isNotNull();
  }
}
