package dev.kymo.agent;

import dev.kymo.agent.weave.JdkAccess;

/**
 * The class files of the hook that woven code calls, and of the probes that it calls, which the
 * boot loader does not give out; see {@link #define}.
 */
@SuppressWarnings("ArrayRecordComponent") // nobody compares them
public record Hooks(byte[] inlined, byte[] called, byte[] probeInlined, byte[] probeCalled) {
  byte[] probe(boolean isInlined) {
    return isInlined ? probeInlined : probeCalled;
  }

  /**
   * Puts the hook into the JDK; once in the life of a process.
   *
   * @param isInlined whether the JIT compiler inlines the probes into each method. Then recording a
   *     call costs less. But compiling the program takes longer, and under a budget methods that
   *     are called often are not recorded anyway.
   */
  void define(boolean isInlined) {
    JdkAccess.define(JdkAccess.HOOK, isInlined ? inlined : called);
  }
}
