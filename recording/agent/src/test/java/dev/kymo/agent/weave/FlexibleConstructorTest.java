package dev.kymo.agent.weave;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Since Java 25 code may come before the other constructor's call: it may jump, loop and catch. */
class FlexibleConstructorTest {
  private static final String SOURCE =
      """
      public class Flexible extends Thread {
        final int sum;
        public Flexible(String text) {
          int all = 0;
          for (String part : text.split(",")) {
            try {
              all += Integer.parseInt(part);
            } catch (NumberFormatException e) {
              all += part.isEmpty() ? 0 : 100;
            }
          }
          if (all < 0) {
            throw new IllegalArgumentException(text);
          }
          Thread other = new Thread();
          sum = all;
          super(other.isAlive() ? "alive" : "not alive");
          for (int i = 0; i < all; i++) {
            if (i == 5) {
              return;
            }
          }
        }
        @Override public String toString() {
          return getName() + " " + sum;
        }
      }
      """;

  @TempDir private Path directory;

  @Test
  void classesAreWovenAndVerified() throws Exception {
    assumeTrue(Runtime.version().feature() >= 25, "Java 25 has such constructors");
    assumeTrue(Files.exists(NativeWeaverTest.LIBRARY), "there is no weaver in C");
    System.load(NativeWeaverTest.LIBRARY.toAbsolutePath().toString());
    byte[] original = compile();
    ClassFacts facts = AsmFacts.of(original);
    int[] numbers = {1, 0};

    byte[] woven = NativeWeaver.weave(original, numbers);

    assertThat(woven).isNotNull();
    link(woven);
    Set<Integer> refused = new TreeSet<>();
    link(AsmWeaver.weave(original, facts, numbers, refused));
    assertThat(refused).isEmpty();
  }

  private byte[] compile() throws IOException {
    Path source = directory.resolve("Flexible.java");
    Files.writeString(source, SOURCE);
    assertThat(
            ToolProvider.getSystemJavaCompiler()
                .run(null, null, null, "-d", directory.toString(), source.toString()))
        .isZero();
    return Files.readAllBytes(directory.resolve("Flexible.class"));
  }

  /** Has it verified. */
  private static void link(byte[] classFile) {
    Class<?> type =
        new ClassLoader() {
          Class<?> define() {
            return defineClass("Flexible", classFile, 0, classFile.length);
          }
        }.define();
    assertThat(type.getDeclaredMethods()).hasSize(1);
  }
}
