package dev.kymo.agent.weave;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.IntInsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * A check that a woven method is the original one when its probes are taken out again. Then what
 * the original's classes are need not be known: the verifier finds of them what it found before.
 */
final class WithoutProbes {
  private static final String THROWABLE = "java/lang/Throwable";

  /** A number and a token, on what was on the stack. */
  private static final int STACK_OF_PROBE = 3;

  /** The same, on an exception. */
  private static final int STACK_OF_HANDLER = 4;

  private static final int MOST = 65_535;

  private final MethodNode original;
  private final MethodNode woven;
  private final InsnList code;
  private final int number;
  private final int token;

  /** Where frames may have been added, because jumps have become too long. */
  private final Set<AbstractInsnNode> afterLongJumps = new HashSet<>();

  private WithoutProbes(MethodNode original, MethodNode woven, int number) {
    this.original = original;
    this.woven = woven;
    this.code = woven.instructions;
    this.number = number;
    this.token = original.maxLocals;
  }

  static int stack(int original) {
    return Math.min(Math.max(original + STACK_OF_PROBE, STACK_OF_HANDLER), MOST);
  }

  /**
   * Takes the probes out of the woven method.
   *
   * @param oneLeave whether all its returns jump to one leave
   */
  static boolean isOriginal(MethodNode original, MethodNode woven, int number, boolean oneLeave) {
    WithoutProbes without = new WithoutProbes(original, woven, number);
    int size = woven.instructions.size();
    if (!without.takeOut(oneLeave)) {
      return false;
    }
    boolean probes = size != woven.instructions.size();
    if (probes && woven.maxStack < Math.max(original.maxStack + STACK_OF_PROBE, STACK_OF_HANDLER)) {
      return false;
    }
    without.shortenJumps();
    return new CodeLines(original).lines().equals(new CodeLines(woven).lines())
        && without.haveSameFrames();
  }

  /** Where in a frame's variables the token is; -1 if it is not in it. */
  static int tokenIn(FrameNode frame, int token) {
    int slot = 0;
    for (int i = 0; i < frame.local.size(); i++) {
      Object local = frame.local.get(i);
      if (slot == token) {
        return Opcodes.LONG.equals(local) && i == frame.local.size() - 1 ? i : -1;
      }
      slot += Opcodes.LONG.equals(local) || Opcodes.DOUBLE.equals(local) ? 2 : 1;
    }
    return -1;
  }

  private boolean takeOut(boolean oneLeave) {
    CodeLines lines = new CodeLines(woven);
    if (woven.tryCatchBlocks.stream()
        .anyMatch(block -> lines.place(block.start) >= lines.place(block.end))) {
      return false;
    }
    for (AbstractInsnNode node : code.toArray()) {
      if (node instanceof MethodInsnNode call
          && call.owner.equals(JdkAccess.HOOK)
          && !takeOut(call, oneLeave)) {
        return false;
      }
    }
    return true;
  }

  private boolean takeOut(MethodInsnNode call, boolean oneLeave) {
    boolean enter = call.name.equals("enter");
    AbstractInsnNode other = enter ? next(call) : previous(call);
    AbstractInsnNode pushed = previous(enter ? call : other);
    if (pushed == null
        || call.getOpcode() != Opcodes.INVOKESTATIC
        || call.itf
        || !call.desc.equals(enter ? JdkAccess.ENTER : JdkAccess.END)
        || !isToken(other, enter ? Opcodes.LSTORE : Opcodes.LLOAD)
        || !isNumber(pushed)) {
      return false;
    }
    AbstractInsnNode then = next(call);
    boolean right =
        switch (call.name) {
          case "enter" -> true;
          case "leave" -> !oneLeave || takeOutJumps(pushed, then);
          case "unwind" -> takeOutHandler(pushed, then);
          default -> false;
        };
    if (!right) {
      return false;
    }
    remove(pushed);
    remove(other);
    remove(call);
    return true;
  }

  /** The handler of the probes, which is the last of the code. */
  private boolean takeOutHandler(AbstractInsnNode begin, @Nullable AbstractInsnNode rethrow) {
    if (rethrow == null || rethrow.getOpcode() != Opcodes.ATHROW || next(rethrow) != null) {
      return false;
    }
    boolean right = takeOutFrame(begin, Type.getObjectType(THROWABLE));
    woven.tryCatchBlocks.removeIf(
        block -> block.type == null && Objects.equals(next(block.handler), begin));
    remove(rethrow);
    return right;
  }

  /** Each jump to the leave was a return. */
  private boolean takeOutJumps(AbstractInsnNode leave, @Nullable AbstractInsnNode back) {
    Type result = Type.getReturnType(woven.desc);
    int opcode = result.getOpcode(Opcodes.IRETURN);
    if (back == null || back.getOpcode() != opcode) {
      return false;
    }
    for (AbstractInsnNode node : code.toArray()) {
      if (node instanceof JumpInsnNode jump
          && jump.getOpcode() == Opcodes.GOTO
          && Objects.equals(next(jump.label), leave)) {
        code.set(jump, new InsnNode(opcode));
      }
    }
    remove(back);
    return takeOutFrame(leave, result);
  }

  /** Whether the frame directly before an instruction, if there is one, is as it was put there. */
  private boolean takeOutFrame(AbstractInsnNode instruction, Type onStack) {
    AbstractInsnNode node = instruction.getPrevious();
    while (node != null && node.getOpcode() < 0) {
      if (node instanceof FrameNode frame) {
        FrameNode put = TreeProbes.frame(token, onStack);
        remove(frame);
        return frame.local.equals(put.local) && frame.stack.equals(put.stack);
      }
      node = node.getPrevious();
    }
    return true;
  }

  /** A jump that has become too long goes around a longer one, if the condition does not hold. */
  private void shortenJumps() {
    AbstractInsnNode[] before =
        new CodeLines(original).instructions().toArray(AbstractInsnNode[]::new);
    AbstractInsnNode after = next(null);
    for (int i = 0; i < before.length && after != null; i++) {
      AbstractInsnNode around = next(after);
      if (after instanceof JumpInsnNode jump
          && before[i].getOpcode() == opposite(jump.getOpcode())
          && around instanceof JumpInsnNode longJump
          && longJump.getOpcode() == Opcodes.GOTO
          && Objects.equals(next(jump.label), next(longJump))) {
        jump.setOpcode(before[i].getOpcode());
        jump.label = longJump.label;
        AbstractInsnNode then = next(longJump);
        remove(longJump);
        if (then != null) {
          afterLongJumps.add(then);
        }
      }
      after = next(after);
    }
  }

  /** Of a condition; -1 for other instructions. */
  private static int opposite(int opcode) {
    if (opcode == Opcodes.IFNULL || opcode == Opcodes.IFNONNULL) {
      return opcode ^ 1;
    }
    return opcode >= Opcodes.IFEQ && opcode <= Opcodes.IF_ACMPNE ? ((opcode + 1) ^ 1) - 1 : -1;
  }

  private boolean haveSameFrames() {
    Map<Integer, List<Object>> before = frames(original, -1);
    Map<Integer, List<Object>> after = frames(woven, token);
    CodeLines lines = new CodeLines(woven);
    afterLongJumps.stream()
        .map(lines::place)
        .filter(place -> !before.containsKey(place))
        .forEach(after::remove);
    return before.equals(after);
  }

  /** What they say, by instruction; without the token. */
  private static Map<Integer, List<Object>> frames(MethodNode method, int token) {
    CodeLines lines = new CodeLines(method);
    Map<Integer, List<Object>> all = new HashMap<>();
    lines
        .frames()
        .forEach((place, frame) -> {
          List<Object> locals = new ArrayList<>(frame.local);
          int at = token < 0 ? -1 : tokenIn(frame, token);
          if (at >= 0) {
            locals.remove(at);
          }
          while (!locals.isEmpty() && locals.get(locals.size() - 1).equals(Opcodes.TOP)) {
            locals.remove(locals.size() - 1);
          }
          all.put(place, List.of(types(lines, locals), types(lines, frame.stack)));
        });
    return all;
  }

  private static List<Object> types(CodeLines lines, List<Object> types) {
    List<Object> all = new ArrayList<>(types);
    all.replaceAll(type -> type instanceof LabelNode made ? List.of(lines.place(made)) : type);
    return all;
  }

  private boolean isNumber(@Nullable AbstractInsnNode node) {
    return node instanceof IntInsnNode small
        ? small.getOpcode() == Opcodes.SIPUSH && small.operand == number
        : node instanceof LdcInsnNode large && large.cst.equals(number);
  }

  private boolean isToken(@Nullable AbstractInsnNode node, int opcode) {
    return node instanceof VarInsnNode access
        && access.getOpcode() == opcode
        && access.var == token;
  }

  private void remove(@Nullable AbstractInsnNode node) {
    if (node != null) {
      code.remove(node);
    }
  }

  /** The next instruction, or the first one. */
  private @Nullable AbstractInsnNode next(@Nullable AbstractInsnNode node) {
    AbstractInsnNode next = node == null ? code.getFirst() : node.getNext();
    while (next != null && next.getOpcode() < 0) {
      next = next.getNext();
    }
    return next;
  }

  private static @Nullable AbstractInsnNode previous(@Nullable AbstractInsnNode node) {
    AbstractInsnNode previous = node == null ? null : node.getPrevious();
    while (previous != null && previous.getOpcode() < 0) {
      previous = previous.getPrevious();
    }
    return previous;
  }
}
