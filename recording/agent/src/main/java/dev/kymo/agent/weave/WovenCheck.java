package dev.kymo.agent.weave;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.analysis.AnalyzerException;
import org.objectweb.asm.tree.analysis.BasicValue;

/**
 * Judges what has been woven as the virtual machine's verifier will, as far as that needs no other
 * class: whether frames say what reaches them, and each instruction gets the kinds of values that
 * it takes.
 */
final class WovenCheck {
  private WovenCheck() {}

  /**
   * Indices of the methods with probes that would not be verified.
   *
   * @param numbers of the methods, in the class file's order; 0 for a method without probes
   */
  static Set<Integer> failed(byte[] woven, int[] numbers) {
    ClassNode type = new ClassNode();
    new ClassReader(woven).accept(type, ClassReader.EXPAND_FRAMES);
    Set<Integer> failed = new TreeSet<>();
    for (int i = 0; i < numbers.length; i++) {
      if (numbers[i] != 0 && !isRight(type.name, type.methods.get(i))) {
        failed.add(i);
      }
    }
    return failed;
  }

  private static boolean isRight(String owner, MethodNode method) {
    try {
      BegunFrame[] frames = BegunFrame.of(owner, method);
      for (int i = 0; i < frames.length; i++) {
        if (frames[i] != null
            && method.instructions.get(i) instanceof FrameNode declared
            && !isRight(declared, frames[i])) {
          return false;
        }
      }
      return true;
    } catch (AnalyzerException | RuntimeException e) {
      return false;
    }
  }

  private static boolean isRight(FrameNode declared, BegunFrame found) {
    int slot = 0;
    for (Object local : declared.local) {
      if (slot >= found.getLocals() || !fits(local, found.getLocal(slot))) {
        return false;
      }
      slot += Opcodes.LONG.equals(local) || Opcodes.DOUBLE.equals(local) ? 2 : 1;
    }
    List<Object> stack = declared.stack;
    if (stack.size() != found.getStackSize()) {
      return false;
    }
    for (int i = 0; i < stack.size(); i++) {
      if (!fits(stack.get(i), found.getStack(i))) {
        return false;
      }
    }
    return true;
  }

  private static boolean fits(Object declared, BasicValue found) {
    if (Opcodes.TOP.equals(declared)) {
      return true;
    } else if (Opcodes.INTEGER.equals(declared)) {
      return found.equals(BasicValue.INT_VALUE);
    } else if (Opcodes.LONG.equals(declared)) {
      return found.equals(BasicValue.LONG_VALUE);
    } else if (Opcodes.FLOAT.equals(declared)) {
      return found.equals(BasicValue.FLOAT_VALUE);
    } else if (Opcodes.DOUBLE.equals(declared)) {
      return found.equals(BasicValue.DOUBLE_VALUE);
    } else if (Opcodes.UNINITIALIZED_THIS.equals(declared)) {
      return found.equals(BegunFrame.UNINITIALIZED_THIS);
    } else {
      return found.isReference() && !found.equals(BegunFrame.UNINITIALIZED_THIS);
    }
  }
}
