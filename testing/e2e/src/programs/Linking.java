import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;

/**
 * Loads and links every class of jars, and initialises none. Linking is what has a class verified.
 * Writes a line for each class: its group, its name, and how that ended.
 *
 * <p>Arguments: the file to write; then for each group of jars its name and the jars, with colons
 * between them. The jars of a group see each other, the JDK, and the jars of the first group.
 */
final class Linking {
  private Linking() {}

  public static void main(String[] arguments) throws IOException {
    try (BufferedWriter out = Files.newBufferedWriter(Path.of(arguments[0]));
        Jars first = new Jars(ClassLoader.getPlatformClassLoader(), arguments[1])) {
      first.link(out);
      for (int i = 2; i < arguments.length; i++) {
        try (Jars jars = new Jars(first, arguments[i])) {
          jars.link(out);
        }
      }
    }
  }

  /** Has the classes of some jars. Of two with the same name it takes the first. */
  private static final class Jars extends ClassLoader implements AutoCloseable {
    /** Where a jar has classes for newer versions of Java, which nobody finds by their name. */
    private static final String NOT_CLASSES = "META-INF/";

    private final String group;
    private final Map<String, JarFile> entries = new LinkedHashMap<>();

    Jars(ClassLoader parent, String groupAndJars) throws IOException {
      super(parent);
      String[] words = groupAndJars.split(":");
      group = words[0];
      for (int i = 1; i < words.length; i++) {
        JarFile jar = new JarFile(words[i], false);
        jar.stream()
            .map(JarEntry::getName)
            .filter(name -> name.endsWith(".class") && !name.startsWith(NOT_CLASSES))
            .filter(name -> !name.endsWith("module-info.class"))
            .forEach(name -> entries.putIfAbsent(className(name), jar));
      }
    }

    private static String className(String entry) {
      return entry.substring(0, entry.length() - ".class".length()).replace('/', '.');
    }

    void link(BufferedWriter out) throws IOException {
      for (String name : entries.keySet()) {
        out.write(group + " " + name + " " + link(name) + "\n");
      }
    }

    /**
     * Says how it ended. The further lines of an error quote the code, which probes make another
     * one; which of several missing classes is missed first, and who a loader is, changes from run
     * to run.
     */
    private String link(String name) {
      try {
        // HotSpot links a class before it looks at its fields.
        return Class.forName(name, false, this).getDeclaredFields() == null ? "" : "linked";
      } catch (NoClassDefFoundError e) {
        return "misses another class";
      } catch (ClassNotFoundException | LinkageError | RuntimeException e) {
        return e.toString().lines().findFirst().orElse("").replaceAll("@(0?x)?[0-9a-f]+", "@");
      }
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
      JarFile jar = entries.get(name);
      if (jar == null) {
        throw new ClassNotFoundException(name);
      }
      JarEntry entry = jar.getJarEntry(name.replace('.', '/') + ".class");
      try (InputStream in = jar.getInputStream(entry)) {
        byte[] bytes = in.readAllBytes();
        return defineClass(name, bytes, 0, bytes.length);
      } catch (IOException e) {
        throw new ClassNotFoundException(name, e);
      }
    }

    @Override
    public void close() throws IOException {
      for (JarFile jar : entries.values().stream().distinct().toList()) {
        jar.close();
      }
    }
  }
}
