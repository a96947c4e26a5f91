package dev.kymo.agent.weave;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TryCatchBlockNode;
import org.objectweb.asm.tree.analysis.AnalyzerException;

/**
 * Puts probes into a method as {@link MethodProbes} does, where the whole of it must be known
 * first:
 *
 * <ul>
 *   <li>In a constructor the call begins when the constructor that it calls first has returned;
 *       there may be several such calls, on different ways. Before that {@code this} is
 *       uninitialised, and the verifier lets no handler cover that call, so an exception there
 *       would leave an enter without its end.
 *   <li>In a method with too many returns, all of them jump to one leave.
 * </ul>
 */
final class TreeProbes {
  private final MethodNode method;
  private final int number;
  private final boolean hasFrames;
  private final int token;
  private final @Nullable LabelNode oneLeave;
  private final BegunFrame[] frames;
  private final List<LabelNode[]> ranges = new ArrayList<>();
  private @Nullable LabelNode begin;

  private TreeProbes(
      MethodNode method, int number, boolean hasFrames, boolean oneLeave, BegunFrame[] frames) {
    this.method = method;
    this.number = number;
    this.hasFrames = hasFrames;
    this.token = method.maxLocals;
    this.oneLeave = oneLeave ? new LabelNode() : null;
    this.frames = frames;
  }

  /**
   * Puts them in.
   *
   * @param hasFrames whether the class has frames
   * @param oneLeave whether all returns jump to one leave
   * @throws AnalyzerException if that cannot be done; the method is unchanged
   */
  static void put(String owner, MethodNode method, int number, boolean hasFrames, boolean oneLeave)
      throws AnalyzerException {
    BegunFrame[] frames = BegunFrame.of(owner, method);
    TreeProbes probes = new TreeProbes(method, number, hasFrames, oneLeave, frames);
    if (oneLeave) {
      probes.checkReturns();
    }
    probes.put();
  }

  /** A jump leaves on the stack what a return would throw away. */
  private void checkReturns() throws AnalyzerException {
    int size = Type.getReturnType(method.desc).getSort() == Type.VOID ? 0 : 1;
    for (int i = 0; i < frames.length; i++) {
      AbstractInsnNode instruction = method.instructions.get(i);
      if (isReturn(instruction) && (frames[i] == null || frames[i].getStackSize() != size)) {
        throw new AnalyzerException(instruction, "more than the result is on the stack");
      }
    }
  }

  private void put() {
    AbstractInsnNode[] all = method.instructions.toArray();
    boolean constructor = BegunFrame.isConstructor(method);
    boolean begun = !constructor;
    if (begun) {
      method.instructions.insert(probe(MethodProbes.ProbeCode::enter));
    }
    for (int i = 0; i < all.length; i++) {
      AbstractInsnNode instruction = all[i];
      if (frames[i] != null) {
        begun = frames[i].isBegun();
      } else if (instruction instanceof FrameNode frame) {
        // Never reached, but it is verified.
        begun = !constructor || !isUninitialized(frame);
      }
      if (instruction instanceof FrameNode frame && begun) {
        addToken(frame);
      } else if (instruction.getOpcode() >= 0) {
        put(instruction, begun);
        if (frames[i] != null && frames[i].begins(instruction)) {
          method.instructions.insert(instruction, probe(MethodProbes.ProbeCode::enter));
          begun = true;
        }
      }
    }
    end(null);
    addOneLeave();
    addHandler();
    method.maxStack = WithoutProbes.stack(method.maxStack);
    method.maxLocals += 2;
  }

  private void put(AbstractInsnNode instruction, boolean begun) {
    if (!begun) {
      end(instruction);
    } else if (!isReturn(instruction)) {
      if (begin == null) {
        begin = new LabelNode();
        method.instructions.insertBefore(instruction, begin);
      }
    } else if (oneLeave == null) {
      end(instruction);
      method.instructions.insertBefore(instruction, probe(MethodProbes.ProbeCode::leave));
    } else {
      end(instruction);
      method.instructions.set(instruction, new JumpInsnNode(Opcodes.GOTO, oneLeave));
    }
  }

  /** Ends what the handler protects, if it does: before an instruction, or where the code ends. */
  private void end(@Nullable AbstractInsnNode before) {
    if (begin == null) {
      return;
    }
    LabelNode end = new LabelNode();
    if (before == null) {
      method.instructions.add(end);
    } else {
      method.instructions.insertBefore(before, end);
    }
    ranges.add(new LabelNode[] {begin, end});
    begin = null;
  }

  private void addOneLeave() {
    if (oneLeave == null) {
      return;
    }
    Type result = Type.getReturnType(method.desc);
    method.instructions.add(oneLeave);
    addFrame(result);
    method.instructions.add(probe(MethodProbes.ProbeCode::leave));
    method.instructions.add(new InsnNode(result.getOpcode(Opcodes.IRETURN)));
  }

  private void addHandler() {
    if (ranges.isEmpty()) {
      return;
    }
    LabelNode handler = new LabelNode();
    for (LabelNode[] range : ranges) {
      method.tryCatchBlocks.add(new TryCatchBlockNode(range[0], range[1], handler, null));
    }
    method.instructions.add(handler);
    addFrame(Type.getObjectType("java/lang/Throwable"));
    method.instructions.add(probe(MethodProbes.ProbeCode::unwind));
    method.instructions.add(new InsnNode(Opcodes.ATHROW));
  }

  private void addFrame(Type stack) {
    if (hasFrames) {
      method.instructions.add(frame(token, stack));
    }
  }

  /** A frame with nothing but the token: it fits whatever other variables there are. */
  static FrameNode frame(int token, Type stack) {
    List<Object> locals = new ArrayList<>(Collections.nCopies(token, Opcodes.TOP));
    locals.add(Opcodes.LONG);
    Object[] onStack =
        switch (stack.getSort()) {
          case Type.VOID -> new Object[0];
          case Type.LONG -> new Object[] {Opcodes.LONG};
          case Type.DOUBLE -> new Object[] {Opcodes.DOUBLE};
          case Type.FLOAT -> new Object[] {Opcodes.FLOAT};
          case Type.OBJECT, Type.ARRAY -> new Object[] {stack.getInternalName()};
          default -> new Object[] {Opcodes.INTEGER};
        };
    return new FrameNode(Opcodes.F_NEW, locals.size(), locals.toArray(), onStack.length, onStack);
  }

  private void addToken(FrameNode frame) {
    List<Object> locals = new ArrayList<>(frame.local);
    int slots = 0;
    for (Object local : locals) {
      slots += Opcodes.LONG.equals(local) || Opcodes.DOUBLE.equals(local) ? 2 : 1;
    }
    locals.addAll(Collections.nCopies(token - slots, Opcodes.TOP));
    locals.add(Opcodes.LONG);
    frame.local = locals;
  }

  private static boolean isUninitialized(FrameNode frame) {
    return frame.local.contains(Opcodes.UNINITIALIZED_THIS);
  }

  private static boolean isReturn(AbstractInsnNode instruction) {
    return instruction.getOpcode() >= Opcodes.IRETURN && instruction.getOpcode() <= Opcodes.RETURN;
  }

  private InsnList probe(Consumer<MethodProbes.ProbeCode> probe) {
    MethodNode written = new MethodNode(Opcodes.ASM9);
    probe.accept(new MethodProbes.ProbeCode(written, number, token));
    return written.instructions;
  }
}
