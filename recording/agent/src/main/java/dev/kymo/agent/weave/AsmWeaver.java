package dev.kymo.agent.weave;

import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodTooLargeException;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.analysis.AnalyzerException;

/**
 * Puts probes into a class file with ASM, which knows a way for nearly every method. A method for
 * which there is none stays as it was.
 */
final class AsmWeaver extends ClassVisitor {
  private final ClassFacts facts;
  private final int[] numbers;
  private final Set<Integer> refused;
  private String owner = "";
  private int version;
  private int method;

  private AsmWeaver(ClassVisitor next, ClassFacts facts, int[] numbers, Set<Integer> refused) {
    super(Opcodes.ASM9, next);
    this.facts = facts;
    this.numbers = numbers;
    this.refused = refused;
  }

  /**
   * The class file with probes, which is checked as {@link WovenCheck} does.
   *
   * @param numbers of the methods, in the order of the facts; 0 for a method that gets no probes
   * @param refused gets the indices of the methods that have none, though they were to
   */
  static byte[] weave(byte[] original, ClassFacts facts, int[] numbers, Set<Integer> refused) {
    int[] left = numbers.clone();
    while (true) {
      byte[] woven = tryToWeave(original, facts, left, refused);
      for (int index : refused) {
        left[index] = 0;
      }
      Set<Integer> failed =
          woven == null ? Set.of() : WovenCheck.failed(original, woven, facts, left);
      if (woven != null && failed.isEmpty()) {
        return woven;
      }
      for (int index : failed) {
        left[index] = 0;
      }
      refused.addAll(failed);
    }
  }

  /** Null if another method must be refused first. */
  private static byte @Nullable [] tryToWeave(
      byte[] original, ClassFacts facts, int[] numbers, Set<Integer> refused) {
    ClassReader reader = new ClassReader(original);
    ClassWriter writer = new ClassWriter(reader, 0);
    reader.accept(new AsmWeaver(writer, facts, numbers, refused), ClassReader.EXPAND_FRAMES);
    try {
      return writer.toByteArray();
    } catch (MethodTooLargeException e) {
      for (int i = 0; i < numbers.length; i++) {
        MethodFacts found = facts.methods().get(i);
        if (found.name().equals(e.getMethodName())
            && found.descriptor().equals(e.getDescriptor())
            && numbers[i] != 0) {
          refused.add(i);
          return null;
        }
      }
      throw e;
    }
  }

  @Override
  public void visit(
      int classVersion,
      int access,
      String name,
      @Nullable String signature,
      String superName,
      String[] interfaces) {
    version = classVersion & 0xFFFF;
    owner = name;
    super.visit(classVersion, access, name, signature, superName, interfaces);
  }

  @Override
  public MethodVisitor visitMethod(
      int access,
      String name,
      String descriptor,
      @Nullable String signature,
      String @Nullable [] exceptions) {
    MethodVisitor next = super.visitMethod(access, name, descriptor, signature, exceptions);
    int index = method++;
    if (numbers[index] == 0) {
      return next;
    }
    MethodFacts found = facts.methods().get(index);
    Fit fit = Fit.of(found);
    if (fit == Fit.NONE) {
      refused.add(index);
      return next;
    }
    boolean frames = version >= Opcodes.V1_6;
    if (fit == Fit.LEAVES && !name.equals("<init>")) {
      return new MethodProbes(next, numbers[index], found.locals(), frames);
    }
    return new MethodNode(Opcodes.ASM9, access, name, descriptor, signature, exceptions) {
      @Override
      public void visitEnd() {
        try {
          TreeProbes.put(owner, this, numbers[index], frames, fit == Fit.ONE_LEAVE);
        } catch (AnalyzerException e) {
          refused.add(index);
        }
        accept(next);
      }
    };
  }
}
