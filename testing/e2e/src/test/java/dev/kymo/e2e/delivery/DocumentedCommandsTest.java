package dev.kymo.e2e.delivery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kymo.e2e.kit.Jdk;
import dev.kymo.e2e.kit.Kymo;
import dev.kymo.e2e.kit.Shell;
import dev.kymo.kernel.KernelException;
import dev.kymo.kernel.Tracefs;
import dev.kymo.testkit.SourceTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Follows pages of docs/ as a new user would: writes the files that they show, runs their command
 * lines one after the other, and looks for what they say is printed.
 */
@Tag("documents")
class DocumentedCommandsTest {
  private static final Path READER =
      SourceTree.path("testing/e2e/src/documents/reader.sh").toAbsolutePath();

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "start",
        "recipes/slow-request",
        "recipes/deadlock",
        "recipes/system-time",
        "recipes/gc-or-us",
        "recipes/slower-test"
      })
  void printsWhatIsShown(String page) throws Exception {
    DocumentedPage read = DocumentedPage.read(SourceTree.path("docs/" + page + ".md"));
    needsWhatIsThere(read);
    StringBuilder script = new StringBuilder("set -e\n. '" + READER + "'\napp\n");
    for (DocumentedPage.Block block : read.blocks()) {
      Optional<String> file = block.says("file");
      if (file.isPresent()) {
        Files.writeString(folder.resolve(file.get()), block.text());
      } else if (block.isRun()) {
        script.append(run(block));
      }
    }
    app();
    Shell shell = new Shell(Files.createDirectory(folder.resolve("bin")));
    Kymo.Result result = shell.script(folder, shell.variables(), script.toString());
    assertThat(result.exit()).as(() -> page + ": " + result.err() + everything(read)).isZero();
    DocumentedPage.Block last = null;
    for (DocumentedPage.Block block : read.blocks()) {
      if (block.isRun()) {
        last = block;
      } else if (block.isOutput() && last != null) {
        String printed = Files.readString(output(last));
        assertThat(DocumentedPage.missing(block.lines(), printed))
            .as("docs/%s.md:%d: not printed; but this was:%n%s", page, block.line(), printed)
            .isEmpty();
      }
    }
  }

  private static void needsWhatIsThere(DocumentedPage page) {
    boolean kernel =
        page.blocks().stream().anyMatch(b -> b.says("needs").filter("kernel"::equals).isPresent());
    if (kernel) {
      try {
        Tracefs.find();
      } catch (KernelException e) {
        System.out.println("SKIPPED " + page.name() + ": " + e.getMessage());
        assumeTrue(false, e.getMessage());
      }
    }
  }

  private Path output(DocumentedPage.Block block) {
    return folder.resolve("printed." + block.line());
  }

  /** Bash that runs a block; what it prints goes into a file of its own. */
  private String run(DocumentedPage.Block block) {
    String commands = block.text().replace("4711", "$app");
    String exit = block.says("exit").orElse("0");
    String judged =
        switch (exit) {
          case "0" -> commands;
          case "any" -> "set +e\n" + commands + "set -e\n";
          default -> "set +e\n" + commands + "code=$?\nset -e\n[ $code = " + exit + " ]\n";
        };
    return "exec >'%s' 2>&1\n%s".formatted(output(block), judged);
  }

  private String everything(DocumentedPage page) {
    StringBuilder all = new StringBuilder();
    for (DocumentedPage.Block block : page.blocks()) {
      try {
        if (block.isRun() && Files.exists(output(block))) {
          all.append("\n--- line ").append(block.line()).append('\n');
          all.append(Files.readString(output(block)));
        }
      } catch (IOException e) {
        all.append(e);
      }
    }
    return all.toString();
  }

  /** Some program of the reader's; told to stay it runs until somebody ends it. */
  private void app() throws Exception {
    Path source =
        Files.writeString(
            folder.resolve("App.java"),
            """
            public class App {
              public static void main(String[] args) throws InterruptedException {
                System.out.println("begun");
                do {
                  work();
                } while (args.length > 0);
              }

              static void work() throws InterruptedException {
                Thread.sleep(20);
              }
            }
            """);
    Kymo.Result compiled =
        Kymo.exec(folder, Jdk.running().home().resolve("bin/javac").toString(), source.toString());
    assertThat(compiled.exit()).as(compiled.err()).isZero();
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, "App");
    try (JarOutputStream jar =
        new JarOutputStream(Files.newOutputStream(folder.resolve("app.jar")), manifest)) {
      jar.putNextEntry(new JarEntry("App.class"));
      Files.copy(folder.resolve("App.class"), jar);
    }
    for (String file : List.of("App.java", "App.class")) {
      Files.delete(folder.resolve(file));
    }
  }
}
