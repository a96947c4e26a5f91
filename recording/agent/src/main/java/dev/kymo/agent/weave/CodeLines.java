package dev.kymo.agent.weave;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.IincInsnNode;
import org.objectweb.asm.tree.IntInsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.LookupSwitchInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.MultiANewArrayInsnNode;
import org.objectweb.asm.tree.TableSwitchInsnNode;
import org.objectweb.asm.tree.TypeInsnNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * A method's code as values that can be compared with those of another method: a line for each
 * instruction, and places as numbers of instructions.
 */
final class CodeLines {
  private final MethodNode method;
  private final Map<AbstractInsnNode, Integer> places = new HashMap<>();
  private final List<AbstractInsnNode> instructions = new ArrayList<>();

  CodeLines(MethodNode method) {
    this.method = method;
    for (AbstractInsnNode node : method.instructions) {
      places.put(node, instructions.size());
      if (node.getOpcode() >= 0) {
        instructions.add(node);
      }
    }
  }

  /** The number of an instruction, or of the next one after a label or frame. */
  int place(AbstractInsnNode node) {
    Integer place = places.get(node);
    if (place == null) {
      throw new IllegalStateException("a jump to no instruction");
    }
    return place;
  }

  /** The instructions, by their numbers. */
  List<AbstractInsnNode> instructions() {
    return instructions;
  }

  /** The frame of each instruction that has one. */
  Map<Integer, FrameNode> frames() {
    Map<Integer, FrameNode> frames = new HashMap<>();
    for (AbstractInsnNode node : method.instructions) {
      if (node instanceof FrameNode frame) {
        frames.put(place(frame), frame);
      }
    }
    return frames;
  }

  /** Where an instruction may go to instead of the next one. */
  static List<LabelNode> targets(AbstractInsnNode node) {
    List<LabelNode> targets = new ArrayList<>();
    if (node instanceof JumpInsnNode jump) {
      targets.add(jump.label);
    } else if (node instanceof TableSwitchInsnNode table) {
      targets.add(table.dflt);
      targets.addAll(table.labels);
    } else if (node instanceof LookupSwitchInsnNode table) {
      targets.add(table.dflt);
      targets.addAll(table.labels);
    }
    return targets;
  }

  /** Whether the next instruction is never reached from this one. */
  static boolean isLast(AbstractInsnNode node) {
    int opcode = node.getOpcode();
    return opcode == Opcodes.GOTO
        || opcode == Opcodes.ATHROW
        || (opcode >= Opcodes.RET && opcode <= Opcodes.RETURN);
  }

  /** All that the verifier and the program see of the code, but for frames and sizes. */
  List<Object> lines() {
    List<Object> lines = new ArrayList<>();
    for (AbstractInsnNode node : instructions) {
      List<Object> line = new ArrayList<>(List.of(node.getOpcode()));
      line.addAll(operands(node));
      targets(node).forEach(target -> line.add(place(target)));
      lines.add(line);
    }
    if (method.tryCatchBlocks != null) {
      method.tryCatchBlocks.forEach(block ->
          lines.add(
              Arrays.asList(
                  place(block.start), place(block.end), place(block.handler), block.type)));
    }
    if (method.localVariables != null) {
      method.localVariables.forEach(local ->
          lines.add(
              Arrays.asList(
                  local.name, local.desc, local.index, place(local.start), place(local.end))));
    }
    return lines;
  }

  private static List<?> operands(AbstractInsnNode node) {
    if (node instanceof IntInsnNode number) {
      return List.of(number.operand);
    } else if (node instanceof VarInsnNode variable) {
      return List.of(variable.var);
    } else if (node instanceof TypeInsnNode type) {
      return List.of(type.desc);
    } else if (node instanceof FieldInsnNode field) {
      return List.of(field.owner, field.name, field.desc);
    } else if (node instanceof MethodInsnNode call) {
      return List.of(call.owner, call.name, call.desc, call.itf);
    } else if (node instanceof InvokeDynamicInsnNode call) {
      return List.of(call.name, call.desc, call.bsm, Arrays.asList(call.bsmArgs));
    } else if (node instanceof LdcInsnNode constant) {
      return List.of(constant.cst);
    } else if (node instanceof IincInsnNode sum) {
      return List.of(sum.var, sum.incr);
    } else if (node instanceof TableSwitchInsnNode table) {
      return List.of(table.min, table.max);
    } else if (node instanceof LookupSwitchInsnNode table) {
      return table.keys;
    } else if (node instanceof MultiANewArrayInsnNode array) {
      return List.of(array.desc, array.dims);
    } else {
      return List.of();
    }
  }
}
