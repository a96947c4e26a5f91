package dev.kymo.agent.weave;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Puts an enter at the beginning of a method, a leave before each return, and around all of it a
 * handler that records an unwind and rethrows. The probes themselves lie outside the handler's
 * range, so that no call ends twice. The token that the enter returns is kept in a local variable
 * after the method's own variables.
 */
final class MethodProbes extends MethodVisitor {
  private final ProbeCode code;
  private final int token;
  private final boolean frames;
  private final List<Label[]> ranges = new ArrayList<>();
  private Label begin = new Label();

  MethodProbes(MethodVisitor next, int method, int locals, boolean frames) {
    super(Opcodes.ASM9, next);
    this.token = locals;
    this.frames = frames;
    this.code = new ProbeCode(next, method, locals);
  }

  @Override
  public void visitCode() {
    super.visitCode();
    code.enter();
    beginProtected();
  }

  @Override
  public void visitFrame(int kind, int count, Object[] locals, int stack, Object[] onStack) {
    List<Object> all = new ArrayList<>(Arrays.asList(locals).subList(0, count));
    int slots = 0;
    for (Object local : all) {
      slots += Opcodes.LONG.equals(local) || Opcodes.DOUBLE.equals(local) ? 2 : 1;
    }
    all.addAll(Collections.nCopies(token - slots, Opcodes.TOP));
    all.add(Opcodes.LONG);
    super.visitFrame(kind, all.size(), all.toArray(), stack, onStack);
  }

  @Override
  public void visitInsn(int opcode) {
    if (opcode >= Opcodes.IRETURN && opcode <= Opcodes.RETURN) {
      endProtected();
      code.leave();
      super.visitInsn(opcode);
      beginProtected();
    } else {
      super.visitInsn(opcode);
    }
  }

  @Override
  public void visitMaxs(int maxStack, int maxLocals) {
    endProtected();
    handler();
    // Sizes that are computed would leave out code that is never reached, which is verified as
    // well.
    super.visitMaxs(WithoutProbes.stack(maxStack), token + 2);
  }

  private void beginProtected() {
    begin = new Label();
    super.visitLabel(begin);
  }

  private void endProtected() {
    Label end = new Label();
    super.visitLabel(end);
    ranges.add(new Label[] {begin, end});
  }

  /**
   * The handler of all ranges. Its frame declares only the token, so it fits whatever other
   * variables there are.
   */
  private void handler() {
    Label handler = new Label();
    boolean used = false;
    for (Label[] range : ranges) {
      if (range[0].getOffset() < range[1].getOffset()) {
        super.visitTryCatchBlock(range[0], range[1], handler, null);
        used = true;
      }
    }
    if (!used) {
      return;
    }
    super.visitLabel(handler);
    if (frames) {
      List<Object> locals = new ArrayList<>(Collections.nCopies(token, Opcodes.TOP));
      locals.add(Opcodes.LONG);
      super.visitFrame(
          Opcodes.F_NEW, locals.size(), locals.toArray(), 1, new Object[] {"java/lang/Throwable"});
    }
    code.unwind();
    super.visitInsn(Opcodes.ATHROW);
  }

  static final class ProbeCode {
    private final MethodVisitor next;
    private final int method;
    private final int token;

    /** Keeps the token in this local variable. */
    ProbeCode(MethodVisitor next, int method, int token) {
      this.next = next;
      this.method = method;
      this.token = token;
    }

    void enter() {
      method();
      next.visitMethodInsn(Opcodes.INVOKESTATIC, JdkAccess.HOOK, "enter", JdkAccess.ENTER, false);
      next.visitVarInsn(Opcodes.LSTORE, token);
    }

    void leave() {
      end("leave");
    }

    void unwind() {
      end("unwind");
    }

    private void end(String kind) {
      method();
      next.visitVarInsn(Opcodes.LLOAD, token);
      next.visitMethodInsn(Opcodes.INVOKESTATIC, JdkAccess.HOOK, kind, JdkAccess.END, false);
    }

    private void method() {
      if (method <= Short.MAX_VALUE) {
        next.visitIntInsn(Opcodes.SIPUSH, method);
      } else {
        next.visitLdcInsn(method);
      }
    }
  }
}
