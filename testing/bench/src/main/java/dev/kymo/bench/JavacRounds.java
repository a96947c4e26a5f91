package dev.kymo.bench;

import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * javac compiles source folders against the class path it was started with, in this process; the
 * classes are dropped.
 *
 * <p>Arguments: warm-up rounds, rounds, source folders.
 */
public final class JavacRounds {
  private JavacRounds() {}

  /** Prints the time of each round. */
  public static void main(String[] arguments) throws Exception {
    List<Path> sources = new ArrayList<>();
    for (int i = 2; i < arguments.length; i++) {
      try (Stream<Path> files = Files.walk(Path.of(arguments[i]))) {
        files
            .filter(file -> file.toString().endsWith(".java"))
            .filter(file -> !file.endsWith("module-info.java"))
            .sorted()
            .forEach(sources::add);
      }
    }
    Rounds.run(
        Integer.parseInt(arguments[0]), Integer.parseInt(arguments[1]), () -> compile(sources));
  }

  private static void compile(List<Path> sources) throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    List<String> options =
        List.of("-proc:none", "-nowarn", "-cp", System.getProperty("java.class.path"));
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null);
        Classes classes = new Classes(files)) {
      boolean compiled =
          compiler
              .getTask(
                  null, classes, null, options, null, files.getJavaFileObjectsFromPaths(sources))
              .call();
      if (!compiled || classes.written < sources.size()) {
        throw new IllegalStateException("does not compile: classes=" + classes.written);
      }
    }
  }

  /** Counts the classes that are written, and drops them. */
  private static final class Classes extends ForwardingJavaFileManager<JavaFileManager> {
    private int written;

    Classes(JavaFileManager files) {
      super(files);
    }

    @Override
    public JavaFileObject getJavaFileForOutput(
        Location location, String name, JavaFileObject.Kind kind, FileObject sibling) {
      written++;
      return new SimpleJavaFileObject(
          URI.create("nowhere:///" + name.replace('.', '/') + kind.extension), kind) {
        @Override
        public OutputStream openOutputStream() {
          return OutputStream.nullOutputStream();
        }
      };
    }
  }
}
