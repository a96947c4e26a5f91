package dev.kymo.agent.weave;

import dev.kymo.recorder.platform.AgentLibrary;
import java.io.IOException;
import java.io.InputStream;
import java.lang.instrument.Instrumentation;
import java.lang.ref.Cleaner;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;

/**
 * Opens the parts of the JDK that recording needs, and puts the hook that woven code calls into the
 * JDK. The hook lives in {@code java.lang}, because every class loader must leave that package to
 * the boot loader.
 */
public final class JdkAccess {
  /** The hook, as woven code names it. */
  public static final String HOOK = "java/lang/KymoProbe";

  /** Descriptor of the hook for an enter: method; returns the token for the end. */
  public static final String ENTER = "(I)J";

  /** Descriptor of the hooks for an end: method and token. */
  public static final String END = "(IJ)V";

  /** Hooks of JDBC's classes; {@code Statements} says what they do. */
  public static final String PREPARED = "prepared";

  public static final String BATCHED = "batched";
  public static final String EXECUTE = "execute";
  public static final String EXECUTED = "executed";

  /** Descriptor of the hooks for an object and its text. */
  public static final String TEXT = "(Ljava/lang/Object;Ljava/lang/String;)V";

  /** Descriptor of the hook that an object executes a text; returns what its end needs. */
  public static final String BEGIN = "(Ljava/lang/Object;Ljava/lang/String;)I";

  /** Descriptor of the hook for this end. */
  public static final String ENDED = "(I)V";

  /** Name of the clock's class in the JDK's base, which may make native calls without a warning. */
  public static final String CLOCK = "java/lang/KymoTsc";

  /** The class that does what no other class may do; made by {@code Preparation}. */
  public static final String ACCESS = "java/lang/KymoAccess";

  private static final String LIBRARY = "libkymo-agent.so";

  private static BiConsumer<@Nullable Class<?>, Object> access = (type, what) -> {};
  private static Supplier<Cleaner> cleaner = Cleaner::create;

  private JdkAccess() {}

  /**
   * Lets the JDK's base and Kymo's classes, which are now in the boot loader, see each other.
   *
   * @param made an instance of {@link #ACCESS}
   */
  @SuppressWarnings("unchecked") // Preparation makes it with these types
  public static void begin(Instrumentation instrumentation, Object made) {
    Set<Module> us = Set.of(JdkAccess.class.getModule());
    instrumentation.redefineModule(
        Object.class.getModule(),
        us,
        Map.of("jdk.internal.misc", us, "jdk.internal.access", us),
        Map.of("java.lang", us, "java.util.concurrent.locks", us),
        Set.of(),
        Map.of());
    access = (BiConsumer<@Nullable Class<?>, Object>) made;
    cleaner = (Supplier<Cleaner>) made;
  }

  /**
   * Loads the agent's machine code, without the warning that Java 24 and later print for it; false
   * if there is no library.
   *
   * @param jar the agent's jar, which the library lies beside, or in
   * @param place where a file may be made
   */
  public static boolean loadLibrary(String jar, Path place) {
    Path library = Path.of(jar).resolveSibling(LIBRARY);
    return (Files.isReadable(library) && load(library))
        || loadCopy(jar, place)
        || loadCopy(jar, Path.of(System.getProperty("java.io.tmpdir")));
  }

  private static boolean load(Path library) {
    try {
      access.accept(NativeWeaver.class, library.toString());
      AgentLibrary.isThere(cleaner.get());
      return true;
    } catch (RuntimeException | LinkageError e) {
      return false; // built for another machine, or no file may be executed here
    }
  }

  private static boolean loadCopy(String jar, Path place) {
    try (ZipFile file = new ZipFile(jar)) {
      ZipEntry entry = file.getEntry(System.getProperty("os.arch") + "/" + LIBRARY);
      if (entry == null) {
        return false;
      }
      Path copy = Files.createTempFile(place, "kymo-", ".so");
      try (InputStream in = file.getInputStream(entry)) {
        Files.copy(in, copy, StandardCopyOption.REPLACE_EXISTING);
        return load(copy);
      } finally {
        Files.deleteIfExists(copy); // it stays mapped
      }
    } catch (IOException e) {
      return false;
    }
  }

  /** Defines a class in the boot loader, unless an earlier recording has defined it. */
  public static void define(String name, byte[] bytes) {
    try {
      Class.forName(name.replace('/', '.'), false, null);
    } catch (ClassNotFoundException e) {
      access.accept(null, bytes);
    }
  }
}
