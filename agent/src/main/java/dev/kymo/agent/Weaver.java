package dev.kymo.agent;

import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Weaves probes into the selected methods of a class. */
final class Weaver {
  /** HotSpot never compiles methods beyond this size; probes must not push one over it. */
  private static final int COMPILABLE_SIZE = 8000;

  /** The class file format's limit, with room for what the estimate misses. */
  private static final int LARGEST_SIZE = 65_000;

  private static final int BYTES_PER_PROBE = 10;
  private static final int BYTES_OF_HANDLERS = 16;

  private final Selection selection;
  private final MethodNumbers numbers;
  private final Consumer<String> tell;

  /** Classes of which was said what they have that cannot be recorded. */
  private final Set<String> told = ConcurrentHashMap.newKeySet();

  /**
   * Weaves nothing yet.
   *
   * @param tell takes notices for the recording
   */
  Weaver(Selection selection, MethodNumbers numbers, Consumer<String> tell) {
    this.selection = selection;
    this.numbers = numbers;
    this.tell = tell;
  }

  /**
   * The class with probes; null if none of its methods gets any.
   *
   * @param leftOut methods that get none
   */
  byte @Nullable [] weave(
      @Nullable ClassLoader loader, String className, byte[] original, Set<Integer> leftOut) {
    ClassReader reader = new ClassReader(original);
    Set<String> without = new TreeSet<>();
    Map<String, MethodFacts> facts = MethodFacts.of(reader, without);
    without.removeIf(method -> !selection.isNamed(className, method));
    if (!without.isEmpty() && told.add(className)) {
      tell.accept(
          "methods are not recorded, for they are native or the JIT compiler has its own code for"
              + " them: class="
              + className
              + " methods="
              + String.join(", ", without));
    }
    facts.values().removeIf(method -> !isWorthIt(className, method));
    if (facts.isEmpty()) {
      return null;
    }
    ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
    reader.accept(
        new Visitor(writer, facts, loader, className, leftOut), ClassReader.EXPAND_FRAMES);
    return writer.toByteArray();
  }

  private boolean isWorthIt(String className, MethodFacts method) {
    if ((method.access() & Opcodes.ACC_BRIDGE) != 0) {
      return false;
    }
    int woven = method.size() + (1 + method.returns()) * BYTES_PER_PROBE + BYTES_OF_HANDLERS;
    boolean tooLarge =
        woven > LARGEST_SIZE || (woven > COMPILABLE_SIZE && method.size() <= COMPILABLE_SIZE);
    return !tooLarge && selection.isSelected(className, method);
  }

  private final class Visitor extends ClassVisitor {
    private final Map<String, MethodFacts> selected;
    private final @Nullable ClassLoader loader;
    private final String className;
    private final Set<Integer> leftOut;
    private String source = "";
    private int version;
    private MethodNumbers.@Nullable TypeNumbers type;

    Visitor(
        ClassVisitor next,
        Map<String, MethodFacts> selected,
        @Nullable ClassLoader loader,
        String className,
        Set<Integer> leftOut) {
      super(Opcodes.ASM9, next);
      this.selected = selected;
      this.loader = loader;
      this.className = className;
      this.leftOut = leftOut;
    }

    @Override
    public void visit(
        int classVersion,
        int access,
        String name,
        @Nullable String signature,
        String superName,
        String[] interfaces) {
      version = classVersion & 0xFFFF;
      super.visit(classVersion, access, name, signature, superName, interfaces);
    }

    @Override
    public void visitSource(@Nullable String file, @Nullable String debug) {
      source = file == null ? "" : file;
      super.visitSource(file, debug);
    }

    @Override
    public MethodVisitor visitMethod(
        int access,
        String name,
        String descriptor,
        @Nullable String signature,
        String @Nullable [] exceptions) {
      MethodVisitor next = super.visitMethod(access, name, descriptor, signature, exceptions);
      MethodFacts facts = selected.get(name + descriptor);
      if (facts == null) {
        return next;
      }
      if (type == null) {
        type = numbers.type(loader, className, source);
      }
      int number = type.method(facts);
      if (number < 0 || leftOut.contains(number)) {
        return next;
      }
      boolean frames = version >= Opcodes.V1_6;
      return name.equals("<init>")
          ? new ConstructorProbes(next, access, descriptor, number, frames)
          : new MethodProbes(next, number, facts.locals(), frames);
    }
  }
}
