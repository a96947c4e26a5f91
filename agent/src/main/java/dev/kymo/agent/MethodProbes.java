package dev.kymo.agent;

import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Puts an enter at the beginning of a method, a leave before each return, and around all of it a
 * handler that says unwind and throws on. The probes themselves lie outside the handler's reach, so
 * that no call ends twice.
 */
final class MethodProbes extends MethodVisitor {
  private final ProbeCode code;

  MethodProbes(MethodVisitor next, int method, boolean frames) {
    super(Opcodes.ASM9, next);
    this.code = new ProbeCode(next, method, frames);
  }

  @Override
  public void visitCode() {
    super.visitCode();
    code.enter();
    code.beginProtected();
  }

  @Override
  public void visitInsn(int opcode) {
    if (opcode >= Opcodes.IRETURN && opcode <= Opcodes.RETURN) {
      code.endProtected();
      code.leave();
      super.visitInsn(opcode);
      code.beginProtected();
    } else {
      super.visitInsn(opcode);
    }
  }

  @Override
  public void visitMaxs(int maxStack, int maxLocals) {
    code.endProtected();
    code.handler();
    super.visitMaxs(maxStack, maxLocals);
  }

  /** What both kinds of methods are made of. */
  static final class ProbeCode {
    private final MethodVisitor next;
    private final int method;
    private final boolean frames;
    private final java.util.List<Label[]> ranges = new java.util.ArrayList<>();
    private Label begin = new Label();

    ProbeCode(MethodVisitor next, int method, boolean frames) {
      this.next = next;
      this.method = method;
      this.frames = frames;
    }

    void enter() {
      probe("enter");
    }

    void leave() {
      probe("leave");
    }

    void beginProtected() {
      begin = new Label();
      next.visitLabel(begin);
    }

    void endProtected() {
      Label end = new Label();
      next.visitLabel(end);
      ranges.add(new Label[] {begin, end});
    }

    /** The handler of all ranges. Its frame knows no locals, so it fits whatever they were. */
    void handler() {
      Label handler = new Label();
      boolean used = false;
      for (Label[] range : ranges) {
        if (range[0].getOffset() < range[1].getOffset()) {
          next.visitTryCatchBlock(range[0], range[1], handler, null);
          used = true;
        }
      }
      if (!used) {
        return;
      }
      next.visitLabel(handler);
      if (frames) {
        next.visitFrame(Opcodes.F_NEW, 0, new Object[0], 1, new Object[] {"java/lang/Throwable"});
      }
      probe("unwind");
      next.visitInsn(Opcodes.ATHROW);
    }

    private void probe(String kind) {
      if (method <= Short.MAX_VALUE) {
        next.visitIntInsn(Opcodes.SIPUSH, method);
      } else {
        next.visitLdcInsn(method);
      }
      next.visitMethodInsn(Opcodes.INVOKESTATIC, JdkAccess.HOOK, kind, "(I)V", false);
    }
  }
}
