package dev.kymo.events.generate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.events.Definitions;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.InvocationTargetException;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.spi.ToolProvider;

/** Compiles generated classes with a fake of the API that writes down how it is called. */
final class CompiledJava implements AutoCloseable {
  private static final Path FAKES = Path.of("src", "test", "resources", "fake-api");

  private final URLClassLoader classes;

  private CompiledJava(URLClassLoader classes) {
    this.classes = classes;
  }

  /** Compiles as strictly as javac can, together with a class {@code p.Main} and the fake. */
  static CompiledJava of(Definitions definitions, Path folder, String main) throws IOException {
    return of(definitions, folder, main, List.of("Events.java", "Payload.java", "Unrecorded.java"));
  }

  /** Compiles against the API itself. */
  static CompiledJava withApi(Definitions definitions, Path folder, String main)
      throws IOException {
    return of(definitions, folder, main, List.of());
  }

  private static CompiledJava of(
      Definitions definitions, Path folder, String main, List<String> fakes) throws IOException {
    List<Path> sources = new ArrayList<>();
    for (GeneratedFile file : Generator.java("p").generate(definitions)) {
      sources.add(file.writeTo(folder));
    }
    sources.add(Files.writeString(folder.resolve("p").resolve("Main.java"), main));
    fakes.forEach(f -> sources.add(FAKES.resolve(f)));
    Path out = Files.createDirectories(folder.resolve("classes"));
    List<String> command =
        new ArrayList<>(
            List.of(
                "-d",
                out.toString(),
                "--release",
                "17",
                "-encoding",
                "US-ASCII",
                "-Werror",
                "-Xlint:all,-options",
                "-proc:none",
                "-cp",
                fakes.isEmpty() ? api() : out.toString()));
    sources.forEach(s -> command.add(s.toString()));
    StringWriter said = new StringWriter();
    PrintWriter to = new PrintWriter(said);
    int code =
        ToolProvider.findFirst("javac").orElseThrow().run(to, to, command.toArray(String[]::new));
    assertThat(said.toString()).isEmpty();
    assertThat(code).isZero();
    ClassLoader parent =
        fakes.isEmpty()
            ? CompiledJava.class.getClassLoader()
            : ClassLoader.getPlatformClassLoader();
    URL[] path = {out.toUri().toURL()};
    return new CompiledJava(new URLClassLoader(path, parent));
  }

  /** The location of the API's classes. */
  private static String api() {
    try {
      Class<?> events = Class.forName("dev.kymo.api.Events");
      return Path.of(events.getProtectionDomain().getCodeSource().getLocation().toURI()).toString();
    } catch (ClassNotFoundException | URISyntaxException e) {
      throw new AssertionError("the API is not on the class path", e);
    }
  }

  /** Runs {@code p.Main.run()}. */
  void run() throws ReflectiveOperationException {
    try {
      classes.loadClass("p.Main").getMethod("run").invoke(null);
    } catch (InvocationTargetException e) {
      throw new AssertionError("generated code failed", e.getCause());
    }
  }

  /** The calls of the fake. */
  List<?> calls() throws ReflectiveOperationException {
    return (List<?>) classes.loadClass("dev.kymo.api.Events").getField("CALLS").get(null);
  }

  @Override
  public void close() throws IOException {
    classes.close();
  }
}
