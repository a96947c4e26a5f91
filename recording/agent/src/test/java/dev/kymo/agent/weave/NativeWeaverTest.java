package dev.kymo.agent.weave;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kymo.testkit.SourceTree;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.AnnotationVisitor;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.TypePath;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.util.TraceClassVisitor;

/** ASM is the judge of what the weaver in C finds and writes, for each class of the JDK. */
@Tag("slow")
@Tag("native")
class NativeWeaverTest {
  static final Path LIBRARY = SourceTree.path("recording/native/target/libkymo-agent.so");

  @BeforeAll
  static void load() {
    assumeTrue(Files.exists(LIBRARY), "there is no weaver in C: it needs gcc, make and jni.h");
    System.load(LIBRARY.toAbsolutePath().toString());
  }

  @Test
  void bothWeaversWriteTheSame() throws IOException {
    Path modules = FileSystems.getFileSystem(URI.create("jrt:/")).getPath("/modules");
    List<String> different = new ArrayList<>();
    int left = 0;
    List<Path> files = classFiles(modules);
    for (Path file : files) {
      byte[] classFile = Files.readAllBytes(file);
      ClassFacts facts = NativeWeaver.facts(classFile);
      byte[] woven = facts == null ? null : NativeWeaver.weave(classFile, numbers(facts));
      if (facts == null || woven == null) {
        left++;
        continue;
      }
      if (!facts.equals(AsmFacts.of(classFile))) {
        different.add("facts of " + file);
      }
      Set<Integer> refused = new HashSet<>();
      byte[] judge = AsmWeaver.weave(classFile, facts, numbers(facts), refused);
      if (refused.isEmpty()) {
        firstDifference(text(woven), text(judge))
            .ifPresent(difference -> different.add(file + ": " + difference));
      } else {
        different.add(file + ": refused " + refused);
      }
    }
    assertThat(different).isEmpty();
    assertThat(left).as("classes that were too hard").isLessThan(files.size() / 100);
  }

  /** What the virtual machine itself says of it. */
  @Test
  void wovenClassesAreVerified() throws IOException {
    Map<String, byte[]> classes = new HashMap<>();
    for (String entry :
        System.getProperty("kymo.woven", System.getProperty("java.class.path")).split(":")) {
      if (entry.endsWith(".jar")) {
        try (FileSystem jar = FileSystems.newFileSystem(Path.of(entry))) {
          for (Path file : classFiles(jar.getPath("/"))) {
            byte[] classFile = Files.readAllBytes(file);
            classes.putIfAbsent(
                new ClassReader(classFile).getClassName().replace('/', '.'), classFile);
          }
        }
      }
    }
    List<String> refused = new ArrayList<>();
    Loader plain = new Loader(classes, false);
    Loader woven = new Loader(classes, true);
    for (String name : classes.keySet()) {
      String error = woven.link(name);
      if (error != null && plain.link(name) == null) {
        refused.add(error);
      }
    }
    assertThat(refused).isEmpty();
    assertThat(woven.woven).as("woven classes").isGreaterThan(classes.size() / 3);
  }

  private static List<Path> classFiles(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      return files
          .filter(file ->
              file.toString().endsWith(".class")
                  && !file.endsWith("module-info.class")
                  && !file.startsWith("/META-INF"))
          .toList();
    }
  }

  /** Has classes of its own, and those of the JDK. */
  private static final class Loader extends ClassLoader {
    private final Map<String, byte[]> classes;
    private final boolean weaves;
    private int woven;

    Loader(Map<String, byte[]> classes, boolean weaves) {
      super(ClassLoader.getPlatformClassLoader());
      this.classes = classes;
      this.weaves = weaves;
    }

    /** What is wrong with a class; null if nothing is. */
    @Nullable String link(String name) {
      try {
        Objects.requireNonNull(Class.forName(name, false, this).getDeclaredMethods());
        return null;
      } catch (ClassNotFoundException | LinkageError e) {
        return name + ": " + e;
      }
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
      byte[] classFile = classes.get(name);
      if (classFile == null) {
        throw new ClassNotFoundException(name);
      }
      byte[] bytes = weaves ? weave(classFile) : classFile;
      return defineClass(name, bytes, 0, bytes.length);
    }

    private byte[] weave(byte[] classFile) {
      ClassFacts facts = NativeWeaver.facts(classFile);
      byte[] bytes = facts == null ? null : NativeWeaver.weave(classFile, numbers(facts));
      woven += bytes == null ? 0 : 1;
      return bytes == null ? classFile : bytes;
    }
  }

  private static Optional<String> firstDifference(String ours, String theirs) {
    if (ours.equals(theirs)) {
      return Optional.empty();
    }
    List<String> ourLines = ours.lines().toList();
    List<String> theirLines = theirs.lines().toList();
    int line = 0;
    while (line < Math.min(ourLines.size(), theirLines.size())
        && ourLines.get(line).equals(theirLines.get(line))) {
      line++;
    }
    return Optional.of(
        "line "
            + line
            + " is ["
            + around(ourLines, line)
            + "], not ["
            + around(theirLines, line)
            + "]");
  }

  private static String around(List<String> lines, int line) {
    return String.join(
        " | ", lines.subList(Math.max(0, line - 3), Math.min(line + 3, lines.size())));
  }

  private static int[] numbers(ClassFacts facts) {
    SplittableRandom random = new SplittableRandom(facts.hashCode());
    return facts.methods().stream()
        .mapToInt(method ->
            method.canHaveProbes() && Fit.of(method) == Fit.LEAVES && random.nextInt(4) > 0
                ? 1 + random.nextInt(40_000)
                : 0)
        .toArray();
  }

  private static String text(byte[] classFile) {
    ClassNode type = new ClassNode();
    new ClassReader(classFile).accept(type, ClassReader.EXPAND_FRAMES);
    type.methods.forEach(NativeWeaverTest::removeUnusedLabels);
    StringWriter text = new StringWriter();
    type.accept(new ComparableClass(new TraceClassVisitor(new PrintWriter(text))));
    return text.toString();
  }

  /** ASM makes labels of whatever in the frames could be a place in the code. */
  private static void removeUnusedLabels(MethodNode method) {
    Set<Object> used = new HashSet<>();
    MethodVisitor users =
        new MethodVisitor(Opcodes.ASM9) {
          @Override
          public void visitJumpInsn(int opcode, Label label) {
            used.add(label);
          }

          @Override
          public void visitTableSwitchInsn(int min, int max, Label other, Label... labels) {
            used.add(other);
            used.addAll(List.of(labels));
          }

          @Override
          public void visitLookupSwitchInsn(Label other, int[] keys, Label[] labels) {
            used.add(other);
            used.addAll(List.of(labels));
          }

          @Override
          public void visitTryCatchBlock(
              Label start, Label end, Label handler, @Nullable String type) {
            used.addAll(List.of(start, end, handler));
          }

          @Override
          public void visitLineNumber(int line, Label start) {
            used.add(start);
          }

          @Override
          public void visitLocalVariable(
              String name,
              String descriptor,
              @Nullable String signature,
              Label start,
              Label end,
              int variable) {
            used.addAll(List.of(start, end));
          }

          @Override
          public void visitFrame(
              int kind, int count, Object[] locals, int stack, Object[] onStack) {
            used.addAll(Arrays.asList(locals));
            used.addAll(Arrays.asList(onStack));
          }
        };
    method.accept(users);
    for (AbstractInsnNode node : method.instructions.toArray()) {
      if (node instanceof LabelNode label && !used.contains(label.getLabel())) {
        method.instructions.remove(node);
      }
    }
  }

  /** Without what may differ. */
  private static final class ComparableClass extends ClassVisitor {
    ComparableClass(ClassVisitor next) {
      super(Opcodes.ASM9, next);
    }

    @Override
    public MethodVisitor visitMethod(
        int access,
        String name,
        String descriptor,
        @Nullable String signature,
        String @Nullable [] exceptions) {
      MethodVisitor next = super.visitMethod(access, name, descriptor, signature, exceptions);
      return new ComparableMethod(next);
    }
  }

  /** The stack may be too large, and annotations inside of code have no reader. */
  private static final class ComparableMethod extends MethodVisitor {
    ComparableMethod(MethodVisitor next) {
      super(Opcodes.ASM9, next);
    }

    @Override
    public void visitMaxs(int maxStack, int maxLocals) {
      super.visitMaxs(0, maxLocals);
    }

    @Override
    public @Nullable AnnotationVisitor visitInsnAnnotation(
        int reference, @Nullable TypePath path, String descriptor, boolean visible) {
      return null;
    }

    @Override
    public @Nullable AnnotationVisitor visitTryCatchAnnotation(
        int reference, @Nullable TypePath path, String descriptor, boolean visible) {
      return null;
    }

    @Override
    public @Nullable AnnotationVisitor visitLocalVariableAnnotation(
        int reference,
        @Nullable TypePath path,
        Label[] start,
        Label[] end,
        int[] index,
        String descriptor,
        boolean visible) {
      return null;
    }
  }
}
