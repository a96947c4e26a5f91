package dev.kymo.agent.weave;

import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.analysis.Analyzer;
import org.objectweb.asm.tree.analysis.AnalyzerException;
import org.objectweb.asm.tree.analysis.BasicValue;
import org.objectweb.asm.tree.analysis.BasicVerifier;
import org.objectweb.asm.tree.analysis.Frame;
import org.objectweb.asm.tree.analysis.Interpreter;

/**
 * The contents of variables and stack before an instruction, as far as no class needs to be known;
 * and whether the call of a constructor has begun there: whether {@code this} is initialised, on
 * whatever way the instruction is reached.
 */
final class BegunFrame extends Frame<BasicValue> {
  /** What a constructor has as {@code this} before it has called another one. */
  static final BasicValue UNINITIALIZED_THIS =
      new BasicValue(Type.getObjectType("uninitialized this"));

  private boolean begun;

  private BegunFrame(int locals, int stack) {
    super(locals, stack);
  }

  private BegunFrame(Frame<? extends BasicValue> other) {
    super(other);
    begun = other instanceof BegunFrame frame && frame.begun;
  }

  /**
   * A frame for each instruction; null for those that are never reached.
   *
   * @throws AnalyzerException if it does not verify
   */
  static BegunFrame[] of(String owner, MethodNode method) throws AnalyzerException {
    Frame<BasicValue>[] frames = new MethodAnalyzer(method).analyze(owner, method);
    BegunFrame[] all = new BegunFrame[frames.length];
    for (int i = 0; i < all.length; i++) {
      all[i] = (BegunFrame) frames[i];
    }
    return all;
  }

  static boolean isConstructor(MethodNode method) {
    return method.name.equals("<init>");
  }

  boolean isBegun() {
    return begun;
  }

  /** Whether this instruction is a constructor's call of the other constructor. */
  boolean begins(AbstractInsnNode instruction) {
    if (instruction.getOpcode() != Opcodes.INVOKESPECIAL) {
      return false;
    }
    MethodInsnNode call = (MethodInsnNode) instruction;
    int arguments = Type.getArgumentCount(call.desc);
    return call.name.equals("<init>")
        && getStack(getStackSize() - arguments - 1).equals(UNINITIALIZED_THIS);
  }

  @Override
  public Frame<BasicValue> init(Frame<? extends BasicValue> other) {
    begun = ((BegunFrame) other).begun;
    return super.init(other);
  }

  @Override
  public void execute(AbstractInsnNode instruction, Interpreter<BasicValue> interpreter)
      throws AnalyzerException {
    boolean begins = begins(instruction);
    super.execute(instruction, interpreter);
    if (begins) {
      begun = true;
      for (int i = 0; i < getLocals(); i++) {
        if (getLocal(i).equals(UNINITIALIZED_THIS)) {
          setLocal(i, BasicValue.REFERENCE_VALUE);
        }
      }
      for (int i = 0; i < getStackSize(); i++) {
        if (getStack(i).equals(UNINITIALIZED_THIS)) {
          setStack(i, BasicValue.REFERENCE_VALUE);
        }
      }
    }
  }

  @Override
  public boolean merge(Frame<? extends BasicValue> other, Interpreter<BasicValue> interpreter)
      throws AnalyzerException {
    boolean fewer = begun && !((BegunFrame) other).begun;
    begun &= !fewer;
    return super.merge(other, interpreter) || fewer;
  }

  private static final class MethodAnalyzer extends Analyzer<BasicValue> {
    private final boolean constructor;

    MethodAnalyzer(MethodNode method) {
      super(new Types(isConstructor(method)));
      this.constructor = isConstructor(method);
    }

    @Override
    protected Frame<BasicValue> newFrame(int locals, int stack) {
      BegunFrame frame = new BegunFrame(locals, stack);
      frame.begun = !constructor;
      return frame;
    }

    @Override
    protected Frame<BasicValue> newFrame(Frame<? extends BasicValue> other) {
      return new BegunFrame(other);
    }
  }

  /** All references are alike, but for a {@code this} that is not initialised. */
  private static final class Types extends BasicVerifier {
    private final boolean constructor;

    Types(boolean constructor) {
      super(Opcodes.ASM9);
      this.constructor = constructor;
    }

    @Override
    public BasicValue newParameterValue(boolean instance, int local, Type type) {
      return constructor && local == 0
          ? BegunFrame.UNINITIALIZED_THIS
          : super.newParameterValue(instance, local, type);
    }

    @Override
    protected boolean isSubTypeOf(BasicValue value, BasicValue expected) {
      return (value.isReference() && expected.isReference()) || super.isSubTypeOf(value, expected);
    }
  }
}
