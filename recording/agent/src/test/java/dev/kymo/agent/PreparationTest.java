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
