package dev.kymo.agent.weave;

import org.objectweb.asm.Opcodes;

/**
 * The facts that decide whether a method is worth its probes.
 *
 * @param size bytes of code, at most; 0 without code
 * @param locals slots of local variables
 * @param returns number of places where it returns
 * @param line first line in the source, 0 if unknown
 * @param isIntrinsic whether the JIT compiler has its own code for it, which would have no probes
 */
record MethodFacts(
    String name,
    String descriptor,
    int access,
    int size,
    int locals,
    int returns,
    int line,
    boolean hasCalls,
    boolean hasLoops,
    boolean isIntrinsic) {

  /** Whether it is part of the program, and cannot be recorded. */
  boolean isOutOfReach() {
    return isIntrinsic || (access & Opcodes.ACC_NATIVE) != 0;
  }

  /** Whether a probe in it would see each of its calls. */
  boolean canHaveProbes() {
    return size > 0 && !isIntrinsic && (access & Opcodes.ACC_BRIDGE) == 0;
  }
}
