package dev.kymo.agent.weave;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * A weaver that is broken on purpose: whatever the virtual machine's verifier refuses of what it
 * wrote, the check refuses. It may refuse more.
 */
class WovenCheckTest {
  private static final int NUMBER = 1000;
  private static final int TRIES = 3000;

  private final byte[] original = sample();
  private final ClassFacts facts = AsmFacts.of(original);
  private final int[] numbers = new int[facts.methods().size()];
  private final byte[] woven = weave();

  @Test
  void whatIsWovenRightlyIsAccepted() {
    assertThat(verifyError(woven)).isEmpty();
    assertThat(failed(woven)).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void whatTheVirtualMachineRefusesIsRefused(Damage damage) {
    List<String> through = new ArrayList<>();
    int damaged = 0;
    for (int i = 0; i < numbers.length; i++) {
      ClassNode type = read(woven);
      MethodNode method = type.methods.get(i);
      if (numbers[i] == 0 || !damage.apply(method)) {
        continue;
      }
      damaged++;
      byte[] bytes;
      try {
        bytes = written(type);
      } catch (RuntimeException e) {
        continue; // cannot be written at all
      }
      String error = verifyError(bytes);
      if (!error.isEmpty() && failed(bytes).isEmpty() && !verifyError(again(bytes)).isEmpty()) {
        through.add(method.name + method.desc + ": " + error);
      }
    }
    assertThat(damaged).as("methods that can be damaged so").isPositive();
    assertThat(through).isEmpty();
  }

  /**
   * Jumps into the middle of nowhere, indices of nothing, and whatever else bytes can say; but for
   * sizes and fillers that ASM does not read, and always writes rightly.
   */
  @Tag("slow")
  @Test
  void changedBytesOfCodeAreRefusedWhereTheVirtualMachineRefusesThem() {
    SplittableRandom random = new SplittableRandom(47);
    List<String> through = new ArrayList<>();
    int refused = 0;
    for (int i = 0; i < TRIES; i++) {
      byte[] bytes = woven.clone();
      int[] code = CodeBytes.of(woven, random.nextInt(numbers.length));
      int place = code[0] + random.nextInt(code[1] - code[0]);
      bytes[place] = (byte) random.nextInt(256);
      String error = verifyError(bytes);
      refused += error.isEmpty() ? 0 : 1;
      if (!error.isEmpty() && failed(bytes).isEmpty() && !verifyError(again(bytes)).isEmpty()) {
        through.add("byte " + (place - code[0]) + " of " + code[0] + ": " + error);
      }
    }
    assertThat(through).isEmpty();
    assertThat(refused).as("changes that the virtual machine refuses").isGreaterThan(TRIES / 10);
  }

  private Set<Integer> failed(byte[] bytes) {
    try {
      return WovenCheck.failed(original, bytes, facts, numbers);
    } catch (RuntimeException e) {
      return Set.of(-1); // no class at all: nothing of it is woven
    }
  }

  private byte[] weave() {
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = facts.methods().get(i).canHaveProbes() ? NUMBER + i : 0;
    }
    Set<Integer> refused = new TreeSet<>();
    byte[] bytes = AsmWeaver.weave(original, facts, numbers, refused);
    assertThat(refused).isEmpty();
    return bytes;
  }

  private static ClassNode read(byte[] classFile) {
    ClassNode type = new ClassNode();
    new ClassReader(classFile).accept(type, ClassReader.EXPAND_FRAMES);
    return type;
  }

  private static byte[] again(byte[] classFile) {
    return written(read(classFile));
  }

  private static byte[] written(ClassNode type) {
    ClassWriter writer = new ClassWriter(0);
    type.accept(writer);
    return writer.toByteArray();
  }

  /** The class below, and what no Java compiler writes. */
  private static byte[] sample() {
    try (InputStream file =
        Objects.requireNonNull(
            WovenCheckTest.class.getResourceAsStream("WovenCheckTest$Sample.class"))) {
      ClassNode type = read(file.readAllBytes());
      deadCode(type.visitMethod(Opcodes.ACC_STATIC, "dead", "(J)J", null, null));
      constructor(type.name, type.visitMethod(0, "<init>", "(II)V", null, null));
      return written(type);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** Of code that is never reached the verifier believes the frames; it may need more stack. */
  private static void deadCode(MethodVisitor code) {
    code.visitCode();
    code.visitVarInsn(Opcodes.LLOAD, 0);
    code.visitInsn(Opcodes.LRETURN);
    Object[] locals = {Opcodes.LONG, "java/lang/String"};
    code.visitFrame(Opcodes.F_NEW, 2, locals, 0, new Object[0]);
    for (int i = 0; i < 10; i++) {
      code.visitInsn(Opcodes.LCONST_1);
    }
    code.visitInsn(Opcodes.LRETURN);
    code.visitMaxs(20, 3);
    code.visitEnd();
  }

  /** Two ways to begin. */
  private static void constructor(String owner, MethodVisitor code) {
    Label other = new Label();
    Label done = new Label();
    Object[] before = {Opcodes.UNINITIALIZED_THIS, Opcodes.INTEGER, Opcodes.INTEGER};
    code.visitCode();
    code.visitVarInsn(Opcodes.ILOAD, 1);
    code.visitJumpInsn(Opcodes.IFEQ, other);
    code.visitVarInsn(Opcodes.ALOAD, 0);
    code.visitMethodInsn(
        Opcodes.INVOKESPECIAL, "java/lang/RuntimeException", "<init>", "()V", false);
    code.visitJumpInsn(Opcodes.GOTO, done);
    code.visitLabel(other);
    code.visitFrame(Opcodes.F_NEW, 3, before, 0, new Object[0]);
    code.visitVarInsn(Opcodes.ALOAD, 0);
    code.visitMethodInsn(
        Opcodes.INVOKESPECIAL, "java/lang/RuntimeException", "<init>", "()V", false);
    code.visitLabel(done);
    code.visitFrame(
        Opcodes.F_NEW, 3, new Object[] {owner, Opcodes.INTEGER, Opcodes.INTEGER}, 0, new Object[0]);
    code.visitInsn(Opcodes.RETURN);
    code.visitMaxs(1, 3);
    code.visitEnd();
  }

  /** What the verifier says; empty if nothing. */
  private static String verifyError(byte[] classFile) {
    ClassLoader parent = WovenCheckTest.class.getClassLoader();
    try {
      Class<?> type =
          new ClassLoader(parent) {
            Class<?> define() {
              return defineClass(null, classFile, 0, classFile.length);
            }
          }.define();
      assertThat(type.getDeclaredConstructors()).isNotNull(); // has it verified
      return "";
    } catch (NoClassDefFoundError e) {
      return ""; // a damaged name: nobody can say what it would be
    } catch (LinkageError e) {
      return e.toString().lines().findFirst().orElseThrow();
    }
  }

  /** Some of all that methods have. */
  @SuppressWarnings("unused")
  static class Sample extends RuntimeException {
    private static final long serialVersionUID = 1;
    private long sum;

    Sample(String text, long more) {
      super(text.isEmpty() ? "nothing" : text);
      for (int i = 0; i < text.length(); i++) {
        sum += more;
      }
    }

    static long loop(int[] all, double factor) {
      long result = 0;
      for (int one : all) {
        String text = one > 3 ? new String(one == 4 ? "four" : "more") : "less";
        result += (long) (text.length() * factor);
        if (result > 100_000) {
          return result;
        }
      }
      return result;
    }

    synchronized Object tried(String text) throws InterruptedException {
      try {
        synchronized (text) {
          return Integer.parseInt(text) > 1_000_000 ? text : this;
        }
      } catch (NumberFormatException e) {
        return e;
      } finally {
        Thread.sleep(0);
      }
    }

    long chosen(int which, long other) {
      Runnable later = () -> sum++;
      return switch (which) {
        case 1 -> other;
        case 2 -> {
          later.run();
          yield sum + 70_000;
        }
        case 1000 -> (long) 1.5f;
        default -> throw new IllegalStateException("which=" + which);
      };
    }
  }
}
