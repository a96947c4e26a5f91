import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32;

/** An agent that looks at classes as JaCoCo does: at those that come from a file and have a source. */
public class Watcher {
  private static final int SYNTHETIC = 0x1000;

  /** Checksums of class files, by the classes' names. */
  private static final Map<String, Long> SEEN = Collections.synchronizedMap(new TreeMap<>());

  public static void premain(String argument, Instrumentation instrumentation) {
    instrumentation.addTransformer(
        new ClassFileTransformer() {
          @Override
          public byte[] transform(
              ClassLoader loader,
              String name,
              Class<?> redefined,
              ProtectionDomain domain,
              byte[] bytes) {
            if (loader != null && redefined == null && (access(bytes) & SYNTHETIC) == 0) {
              CRC32 sum = new CRC32();
              sum.update(bytes);
              SEEN.put(name, sum.getValue());
            }
            return null;
          }
        });
    Runtime.getRuntime().addShutdownHook(new Thread(() -> print(instrumentation)));
  }

  private static void print(Instrumentation instrumentation) {
    SEEN.forEach((name, sum) -> System.out.println("seen " + name + " " + sum));
    for (Class<?> type : instrumentation.getAllLoadedClasses()) {
      if (type.getClassLoader() != null && type.getName().contains("kymo") && !type.isSynthetic()) {
        System.out.println("loaded " + type.getName());
      }
    }
  }

  /** The flags of a class, which follow its constants. */
  private static int access(byte[] bytes) {
    int at = 10;
    for (int left = number(bytes, 8) - 1; left > 0; left--) {
      int tag = bytes[at];
      switch (tag) {
        case 1 -> at += 3 + number(bytes, at + 1);
        case 7, 8, 16, 19, 20 -> at += 3;
        case 15 -> at += 4;
        case 5, 6 -> {
          at += 9;
          left--;
        }
        default -> at += 5;
      }
    }
    return number(bytes, at);
  }

  private static int number(byte[] bytes, int at) {
    return (bytes[at] & 0xff) << 8 | bytes[at + 1] & 0xff;
  }
}
