package dev.kymo.agent.weave;

import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Puts probes into a class file with ASM, which knows a way for every class. */
final class AsmWeaver extends ClassVisitor {
  private final ClassFacts facts;
  private final int[] numbers;
  private int version;
  private int method;

  private AsmWeaver(ClassVisitor next, ClassFacts facts, int[] numbers) {
    super(Opcodes.ASM9, next);
    this.facts = facts;
    this.numbers = numbers;
  }

  /**
   * The class file with probes.
   *
   * @param numbers of the methods, in the order of the facts; 0 for a method that gets no probes
   */
  static byte[] weave(byte[] original, ClassFacts facts, int[] numbers) {
    ClassReader reader = new ClassReader(original);
    ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
    reader.accept(new AsmWeaver(writer, facts, numbers), ClassReader.EXPAND_FRAMES);
    return writer.toByteArray();
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
    boolean frames = version >= Opcodes.V1_6;
    return name.equals("<init>")
        ? new ConstructorProbes(next, access, descriptor, numbers[index], frames)
        : new MethodProbes(next, numbers[index], facts.methods().get(index).locals(), frames);
  }
}
