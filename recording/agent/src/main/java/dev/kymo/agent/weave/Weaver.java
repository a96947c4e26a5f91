package dev.kymo.agent.weave;

import dev.kymo.format.Definition;
import dev.kymo.format.Definition.MethodMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/** Decides which methods of a class get probes, and has them woven in. */
final class Weaver {
  private final Selection selection;
  private final MethodNumbers numbers;
  private final Consumer<Definition> define;
  private final Consumer<String> tell;
  private final boolean machineCode;
  private final Memory memory;

  /** Classes whose methods that cannot be recorded have been reported. */
  private final Set<String> told = ConcurrentHashMap.newKeySet();

  private final Set<String> toldUnfit = ConcurrentHashMap.newKeySet();

  /** Methods of which the recording says that they cannot be recorded. */
  private final Set<Integer> unfit = ConcurrentHashMap.newKeySet();

  /**
   * A class with probes.
   *
   * @param weaver that has put them in: {@code C}, or {@code ASM} where it was too hard for that
   */
  @SuppressWarnings("ArrayRecordComponent") // nobody compares them
  record Woven(byte[] classFile, String weaver) {}

  /**
   * Makes a weaver.
   *
   * @param define receives definitions for the recording
   * @param tell receives notices for the recording
   * @param machineCode whether {@link NativeWeaver} is available
   */
  Weaver(
      Selection selection,
      MethodNumbers numbers,
      Consumer<Definition> define,
      Consumer<String> tell,
      boolean machineCode,
      Memory memory) {
    this.selection = selection;
    this.numbers = numbers;
    this.define = define;
    this.tell = tell;
    this.machineCode = machineCode;
    this.memory = memory;
  }

  /**
   * The class with probes; null if none of its methods gets any.
   *
   * @param leftOut methods that get no probes
   * @param again whether it can be woven again: if not, even methods that begin left out get probes
   */
  @Nullable Woven weave(
      @Nullable ClassLoader loader,
      String className,
      byte[] original,
      Set<Integer> leftOut,
      boolean again) {
    ClassFacts found = machineCode ? NativeWeaver.facts(original) : null;
    ClassFacts facts = found == null ? AsmFacts.of(original) : found;
    tellOutOfReach(className, facts);
    tellTooLarge(loader, className, facts);
    MethodNumbers.TypeNumbers type = type(loader, className, facts);
    if (type == null) {
      return null;
    }
    int checksum = checksum(original);
    type.checksum(checksum);
    Map<String, Memory.Hint> hints = memory.hints(className, checksum);
    int[] numbers = numbers(type, className, facts, hints, leftOut, again);
    if (numbers == null) {
      return null;
    }
    byte[] woven =
        machineCode && areUsual(facts, numbers) ? NativeWeaver.weave(original, numbers) : null;
    return woven == null
        ? new Woven(withAsm(type, className, original, facts, numbers), "ASM")
        : new Woven(woven, "C");
  }

  /** Whether each method that gets probes has a leave before each of its returns. */
  private static boolean areUsual(ClassFacts facts, int[] numbers) {
    for (int i = 0; i < numbers.length; i++) {
      if (numbers[i] != 0 && Fit.of(facts.methods().get(i)) != Fit.LEAVES) {
        return false;
      }
    }
    return true;
  }

  private byte[] withAsm(
      MethodNumbers.TypeNumbers type,
      String className,
      byte[] original,
      ClassFacts facts,
      int[] numbers) {
    Set<Integer> refused = new TreeSet<>();
    byte[] woven = AsmWeaver.weave(original, facts, numbers, refused);
    tellUnfit(type, className, refused.stream().map(index -> facts.methods().get(index)).toList());
    return woven;
  }

  /** For people as a notice; for readers as the method's mode, whose reason says why. */
  private void tellUnfit(
      MethodNumbers.TypeNumbers type, String className, List<MethodFacts> methods) {
    Set<String> names = new TreeSet<>();
    for (MethodFacts method : methods) {
      int number = type.method(method);
      if (number > 0 && unfit.add(number)) {
        String reason = MethodMode.never(Fit.why(method));
        define.accept(new MethodMode(number, MethodMode.LEFT_OUT, MethodMode.EVENTS, reason));
      }
      names.add(method.name());
    }
    String list = String.join(", ", names);
    if (!names.isEmpty() && toldUnfit.add(className + ' ' + list)) {
      tell.accept(
          "methods are not recorded, for probes do not fit into them: class="
              + className
              + " methods="
              + list);
    }
  }

  private void tellOutOfReach(String className, ClassFacts facts) {
    Set<String> without = new TreeSet<>();
    for (MethodFacts method : facts.methods()) {
      if (method.isOutOfReach() && selection.isNamed(className, method.name())) {
        without.add(method.name());
      }
    }
    if (!without.isEmpty() && told.add(className)) {
      tell.accept(
          "methods are not recorded, for they are native or the JIT compiler has its own code for"
              + " them: class="
              + className
              + " methods="
              + String.join(", ", without));
    }
  }

  private void tellTooLarge(@Nullable ClassLoader loader, String className, ClassFacts facts) {
    List<MethodFacts> without = new ArrayList<>();
    for (MethodFacts method : facts.methods()) {
      if (method.canHaveProbes()
          && Fit.of(method) == Fit.NONE
          && selection.isSelected(className, method)) {
        without.add(method);
      }
    }
    if (!without.isEmpty()) {
      tellUnfit(numbers.type(loader, className, facts.source()), className, without);
    }
  }

  private static int checksum(byte[] bytes) {
    CRC32 sum = new CRC32();
    sum.update(bytes);
    return (int) sum.getValue();
  }

  /** The numbers of the class's methods; null if no method is worth recording. */
  private MethodNumbers.@Nullable TypeNumbers type(
      @Nullable ClassLoader loader, String className, ClassFacts facts) {
    for (MethodFacts method : facts.methods()) {
      if (isWorthIt(className, method)) {
        return numbers.type(loader, className, facts.source());
      }
    }
    return null;
  }

  /** Numbers of the methods that get probes, 0 for those that get none; null if none gets any. */
  private int @Nullable [] numbers(
      MethodNumbers.TypeNumbers type,
      String className,
      ClassFacts facts,
      Map<String, Memory.Hint> hints,
      Set<Integer> leftOut,
      boolean again) {
    int[] all = new int[facts.methods().size()];
    boolean any = false;
    for (int i = 0; i < all.length; i++) {
      MethodFacts method = facts.methods().get(i);
      if (!isWorthIt(className, method)) {
        continue;
      }
      int number = type.method(method);
      if (number > 0 && !leftOut.contains(number)) {
        Memory.Hint hint = hints.get(method.name() + method.descriptor());
        boolean leaves = hint != null && memory.begin(number, hint) && again;
        all[i] = leaves ? 0 : number;
        any |= !leaves;
      }
    }
    return any ? all : null;
  }

  private boolean isWorthIt(String className, MethodFacts method) {
    return method.canHaveProbes()
        && Fit.of(method) != Fit.NONE
        && selection.isSelected(className, method);
  }
}
