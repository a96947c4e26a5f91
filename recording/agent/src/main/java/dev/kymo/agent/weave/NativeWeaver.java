package dev.kymo.agent.weave;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Puts probes into class files with machine code ({@code recording/native/agent}). A virtual
 * machine would run this work slowly at first, and then compile it beside the program; machine code
 * is fast at once. Classes that are too hard for it are left to {@link AsmWeaver}.
 */
final class NativeWeaver {
  /** The replacement for bytes that are not a character. */
  private static final char REPLACED = '\uFFFD';

  /** Layout of the facts, as in {@code recording/native/agent/facts.h}. */
  private static final int FACTS_OF_CLASS = 2;

  private static final int FACTS_OF_METHOD = 10;
  private static final int CALLS = 1;
  private static final int LOOPS = 2;

  private NativeWeaver() {}

  /** Facts as integers; null if they are too hard to find. */
  private static native int @Nullable [] find(byte[] classFile);

  /**
   * The class file with probes; null if that is too hard.
   *
   * @param numbers of the methods, in the class file's order; 0 for a method that gets no probes
   */
  static native byte @Nullable [] weave(byte[] classFile, int[] numbers);

  /** The facts of a class; null if they are too hard to find. */
  static @Nullable ClassFacts facts(byte[] classFile) {
    int[] facts = find(classFile);
    if (facts == null) {
      return null;
    }
    List<MethodFacts> methods = new ArrayList<>((facts.length - FACTS_OF_CLASS) / FACTS_OF_METHOD);
    for (int at = FACTS_OF_CLASS; at < facts.length; at += FACTS_OF_METHOD) {
      methods.add(method(classFile, facts, at));
    }
    return new ClassFacts(text(classFile, facts[0], facts[1]), methods);
  }

  private static MethodFacts method(byte[] classFile, int[] facts, int at) {
    return new MethodFacts(
        text(classFile, facts[at], facts[at + 1]),
        text(classFile, facts[at + 2], facts[at + 3]),
        facts[at + 4],
        facts[at + 5],
        facts[at + 6],
        facts[at + 7],
        facts[at + 8],
        (facts[at + 9] & CALLS) != 0,
        (facts[at + 9] & LOOPS) != 0,
        false);
  }

  /** Text of a constant, which begins with its length. */
  private static String text(byte[] classFile, int at, int length) {
    String text = new String(classFile, at, length, StandardCharsets.UTF_8);
    return text.indexOf(REPLACED) < 0 ? text : modified(classFile, at - 2, length + 2);
  }

  /** Class files encode some characters differently from UTF-8. */
  private static String modified(byte[] classFile, int at, int length) {
    try {
      return new DataInputStream(new ByteArrayInputStream(classFile, at, length)).readUTF();
    } catch (IOException e) {
      throw new IllegalArgumentException(e);
    }
  }
}
