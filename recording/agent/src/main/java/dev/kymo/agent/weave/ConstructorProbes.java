package dev.kymo.agent.weave;

import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.commons.AdviceAdapter;

/**
 * Puts probes into constructors, as {@link MethodProbes} does into methods: their call begins when
 * the constructor they call first has returned. Before that {@code this} is uninitialised, and the
 * verifier lets no handler cover that call, so an exception there would leave an enter without its
 * end.
 */
final class ConstructorProbes extends AdviceAdapter {
  private final MethodProbes.ProbeCode code;
  private boolean begun;

  ConstructorProbes(MethodVisitor next, int access, String descriptor, int method, boolean frames) {
    super(Opcodes.ASM9, next, access, "<init>", descriptor);
    this.code = new MethodProbes.ProbeCode(next, method, frames);
  }

  @Override
  protected void onMethodEnter() {
    code.enter(newLocal(Type.LONG_TYPE));
    code.beginProtected();
    begun = true;
  }

  @Override
  public void visitInsn(int opcode) {
    if (opcode != Opcodes.RETURN || !begun) {
      super.visitInsn(opcode);
      return;
    }
    code.endProtected();
    code.leave();
    super.visitInsn(opcode);
    code.beginProtected();
  }

  @Override
  public void visitMaxs(int maxStack, int maxLocals) {
    if (begun) {
      code.endProtected();
      code.handler();
    }
    super.visitMaxs(maxStack, maxLocals);
  }
}
