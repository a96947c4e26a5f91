package dev.kymo.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.recorder.ring.Probe;
import java.io.InputStream;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.AnnotationVisitor;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

class PreparationTest {
  private static final String DONT_INLINE = "Ljdk/internal/vm/annotation/DontInline;";

  @Test
  void thoseProbesThatAreCalledSayIt() throws Exception {
    try (InputStream in = Probe.class.getResourceAsStream("Probe.class")) {
      assertThat(in).isNotNull();
      assertThat(annotations(Preparation.notInlined(in.readAllBytes())))
          .isEqualTo(Map.of("enter", DONT_INLINE, "leave", DONT_INLINE, "unwind", DONT_INLINE));
    }
  }

  /** Also one of which only a static method is called. */
  @Test
  void ofAsmTheClassesStayThatAreUsed() {
    String called = "dev/kymo/agent/asm/Called";
    String unused = "dev/kymo/agent/asm/Unused";
    Map<String, byte[]> classes =
        Map.of("User", calls("User", called), called, calls(called, ""), unused, calls(unused, ""));
    assertThat(Preparation.withoutUnusedAsm(classes)).containsOnlyKeys("User", called);
  }

  /** A class with a method that calls another class's. */
  private static byte[] calls(String name, String other) {
    ClassWriter type = new ClassWriter(0);
    type.visit(Opcodes.V17, 0, name, null, "java/lang/Object", null);
    MethodVisitor method = type.visitMethod(Opcodes.ACC_STATIC, "go", "()V", null, null);
    method.visitCode();
    if (!other.isEmpty()) {
      method.visitMethodInsn(Opcodes.INVOKESTATIC, other, "go", "()V", false);
    }
    method.visitInsn(Opcodes.RETURN);
    method.visitMaxs(0, 0);
    method.visitEnd();
    type.visitEnd();
    return type.toByteArray();
  }

  private static Map<String, String> annotations(byte[] classFile) {
    Map<String, String> annotations = new TreeMap<>();
    new ClassReader(classFile)
        .accept(
            new ClassVisitor(Opcodes.ASM9) {
              @Override
              public MethodVisitor visitMethod(
                  int access,
                  String method,
                  String descriptor,
                  @Nullable String signature,
                  String @Nullable [] exceptions) {
                return new MethodVisitor(Opcodes.ASM9) {
                  @Override
                  public @Nullable AnnotationVisitor visitAnnotation(String type, boolean visible) {
                    annotations.put(method, type);
                    return null;
                  }
                };
              }
            },
            0);
    return annotations;
  }
}
