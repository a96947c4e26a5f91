import java.lang.instrument.ClassDefinition;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.nio.charset.StandardCharsets;
import java.security.ProtectionDomain;

/** An agent that changes a text in a class that is loaded already, each time it is told to. */
public class Changer {
  private static Instrumentation instrumentation;
  private static byte[] original;
  private static volatile String text = "plain";

  public static void premain(String argument, Instrumentation given) {
    instrumentation = given;
    given.addTransformer(
        new ClassFileTransformer() {
          @Override
          public byte[] transform(
              ClassLoader loader,
              String name,
              Class<?> redefined,
              ProtectionDomain domain,
              byte[] bytes) {
            return "Changed$Text".equals(name) && !text.equals("plain")
                ? replaced(bytes, text)
                : null;
          }
        },
        true);
  }

  /** Has the virtual machine pass the class through all agents again. */
  public static void retransform(Class<?> type, String next) throws Exception {
    text = next;
    instrumentation.retransformClasses(type);
  }

  /** Gives the virtual machine another class file, which goes through all agents. */
  public static void redefine(Class<?> type, String next) throws Exception {
    text = "plain";
    if (original == null) {
      String file = "/" + type.getName() + ".class";
      try (var in = type.getResourceAsStream(file)) {
        original = in.readAllBytes();
      }
    }
    instrumentation.redefineClasses(new ClassDefinition(type, replaced(original, next)));
  }

  /** The class file with another text of the same length. */
  private static byte[] replaced(byte[] bytes, String by) {
    String all = new String(bytes, StandardCharsets.ISO_8859_1);
    return all.replaceAll("plain|other|third", by).getBytes(StandardCharsets.ISO_8859_1);
  }
}
