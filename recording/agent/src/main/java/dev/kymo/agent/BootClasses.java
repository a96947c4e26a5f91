package dev.kymo.agent;

import dev.kymo.agent.weave.JdkAccess;
import dev.kymo.recorder.ChildEnvironment;
import java.io.DataInputStream;
import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.lang.invoke.MethodHandles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Defines Kymo's classes in the boot loader, where other agents do not look, and where the program
 * finds none by accident. One by one, because appending the jar to the boot class path would cost
 * the program its shared archive of classes, and the virtual machine prints a warning about that on
 * the program's standard output.
 *
 * <p>This class is in a loader of its own, {@link AgentMain}. Of the classes that it defines it may
 * refer only to public ones, and only after they are defined.
 */
public final class BootClasses implements BiConsumer<Instrumentation, Object[]> {
  private static final int JAVA_WITH_COUNTER = 22;

  /** Called by {@link AgentMain}. */
  public BootClasses() {}

  /**
   * Defines the classes, and starts the agent.
   *
   * @param rest the agent's jar; its arguments; whether the program already runs; and the class
   *     files, as {@link Preparation#write} wrote them, after the first
   */
  @Override
  public void accept(Instrumentation instrumentation, Object[] rest) {
    try {
      run((String) rest[0], instrumentation, (String) rest[1], (Boolean) rest[2], rest[3]);
    } catch (IOException | ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void run(
      String jar,
      Instrumentation instrumentation,
      @Nullable String arguments,
      boolean attached,
      Object classes)
      throws IOException, ReflectiveOperationException {
    if (isOver(arguments)) {
      return;
    }
    DataInputStream in = (DataInputStream) classes;
    Object made = access(instrumentation, in);
    @SuppressWarnings("unchecked") // Preparation makes it with these types
    BiConsumer<@Nullable Class<?>, Object> access = (BiConsumer<@Nullable Class<?>, Object>) made;
    defineAll(in, access, true);
    defineAll(in, access, arguments == null || Agent.isAlone(arguments));
    JdkAccess.begin(instrumentation, made);
    byte[] clock = next(in);
    if (Runtime.version().feature() >= JAVA_WITH_COUNTER) {
      JdkAccess.define(JdkAccess.CLOCK, clock);
    }
    Hooks hooks = new Hooks(next(in), next(in), next(in), next(in));
    Agent.run(jar, instrumentation, arguments, attached, hooks);
  }

  /** Whether the recording that this process was started under is over: it pays for no classes. */
  private static boolean isOver(@Nullable String arguments) {
    boolean named = ChildEnvironment.BY_ENVIRONMENT.equals(arguments); // a constant, not the class
    String directory = named ? System.getenv(ChildEnvironment.SESSION) : arguments;
    return directory != null
        && directory.startsWith("/")
        && Files.notExists(Path.of(directory, "session"));
  }

  /** What defines classes in the boot loader, from now on. */
  private static Object access(Instrumentation instrumentation, DataInputStream in)
      throws IOException, ReflectiveOperationException {
    byte[] classFile = next(in);
    String name = JdkAccess.ACCESS.replace('/', '.');
    if (!isDefined(name)) {
      instrumentation.redefineModule(
          Object.class.getModule(),
          Set.of(),
          Map.of(),
          Map.of("java.lang", Set.of(BootClasses.class.getModule())),
          Set.of(),
          Map.of());
      MethodHandles.privateLookupIn(Object.class, MethodHandles.lookup()).defineClass(classFile);
    }
    return Class.forName(name, true, null).getDeclaredConstructor().newInstance();
  }

  /**
   * Defines the next group of classes.
   *
   * @param needed false to leave them out
   */
  private static void defineAll(
      DataInputStream in, BiConsumer<@Nullable Class<?>, Object> access, boolean needed)
      throws IOException {
    int size = in.readInt();
    if (!needed) {
      in.skipNBytes(size);
      return;
    }
    for (int left = in.readInt(); left > 0; left--) {
      String name = in.readUTF();
      byte[] classFile = classFile(in);
      try {
        access.accept(null, classFile);
      } catch (LinkageError e) {
        // An earlier recording defined it, or it needs a module that this program does not have.
        if (!isDefined(name.replace('/', '.')) && !(e instanceof NoClassDefFoundError)) {
          throw e;
        }
      }
    }
  }

  private static boolean isDefined(String name) {
    try {
      Class.forName(name, false, null);
      return true;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }

  private static byte[] next(DataInputStream in) throws IOException {
    in.readUTF();
    return classFile(in);
  }

  private static byte[] classFile(DataInputStream in) throws IOException {
    byte[] bytes = new byte[in.readInt()];
    in.readFully(bytes);
    return bytes;
  }
}
