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
 * Judges what has been woven as the virtual machine's verifier will, without other classes: without
 * its probes a method is what it was; and with them, frames say what reaches them, and each
 * instruction gets the kinds of values that it takes.
 */
final class WovenCheck {
  private WovenCheck() {}

  /**
   * Indices of the methods with probes that would not be verified.
   *
   * @param facts of the original
   * @param numbers of the methods, in the class file's order; 0 for a method without probes
   */
  static Set<Integer> failed(byte[] original, byte[] woven, ClassFacts facts, int[] numbers) {
    ClassNode before = read(original);
    ClassNode after = read(woven);
    Set<Integer> failed = new TreeSet<>();
    for (int i = 0; i < numbers.length; i++) {
      if (numbers[i] != 0) {
        MethodNode method = after.methods.get(i);
        boolean oneLeave = Fit.of(facts.methods().get(i)) == Fit.ONE_LEAVE;
        if (!isRight(after, before.methods.get(i), method, numbers[i], oneLeave)) {
          failed.add(i);
        }
      }
    }
    return failed;
  }

  private static ClassNode read(byte[] classFile) {
    ClassNode type = new ClassNode();
    new ClassReader(classFile).accept(type, ClassReader.EXPAND_FRAMES);
    return type;
  }

  private static boolean isRight(
      ClassNode type, MethodNode original, MethodNode method, int number, boolean oneLeave) {
    try {
      // Older classes are verified without frames, if need be.
      boolean frames = (type.version & 0xFFFF) > Opcodes.V1_6;
      return (!frames || TokenFrames.areRight(method, original.maxLocals))
          && isRight(type.name, method)
          && WithoutProbes.isOriginal(original, method, number, oneLeave);
    } catch (RuntimeException | AssertionError e) { // ASM has both for what it does not expect
      return false;
    }
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
    } catch (AnalyzerException e) {
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
