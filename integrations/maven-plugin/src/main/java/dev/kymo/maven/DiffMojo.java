package dev.kymo.maven;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.maven.plugin.AbstractMojo;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;

/**
 * Compares recordings with those of an earlier build, by {@code kymo diff}, which has to be
 * installed. The build fails if a gate is not kept.
 */
@Mojo(name = "diff", defaultPhase = LifecyclePhase.VERIFY, threadSafe = true)
public final class DiffMojo extends AbstractMojo {
  private static final String ENDING = ".kymo";
  private static final int NOT_KEPT = 3;

  /** The earlier recordings: a folder with some, or one. */
  @Parameter(property = "kymo.base", required = true)
  File base;

  /** This build's, likewise. */
  @Parameter(property = "kymo.with", defaultValue = "${project.build.directory}/kymo")
  File with;

  /** What may take how much longer: {@code 5%}, {@code shop.Stock.load p99 +10%}. */
  @Parameter(property = "kymo.gates")
  List<String> gates;

  /** A page with the differences. */
  @Parameter(defaultValue = "${project.build.directory}/kymo/difference.html")
  File page;

  /** The program. */
  @Parameter(property = "kymo.command", defaultValue = "kymo")
  String command;

  /** Whether nothing is compared. */
  @Parameter(property = "kymo.skip", defaultValue = "false")
  boolean skip;

  /** Maven makes the object, and sets its fields. */
  public DiffMojo() {}

  @Override
  public void execute() throws MojoExecutionException, MojoFailureException {
    if (skip) {
      return;
    }
    List<String> words = new ArrayList<>(List.of(command, "diff"));
    words.addAll(recordings(base));
    for (String recording : recordings(with)) {
      words.addAll(List.of("--with", recording));
    }
    for (String gate : gates == null ? List.<String>of() : gates) {
      words.addAll(List.of("--gate", gate));
    }
    words.addAll(List.of("--force", "-o", page.getPath()));
    try {
      Files.createDirectories(page.toPath().toAbsolutePath().getParent());
    } catch (IOException e) {
      throw new MojoExecutionException("no place for the page: page=" + page, e);
    }
    run(words);
  }

  private void run(List<String> words) throws MojoExecutionException, MojoFailureException {
    try {
      Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
      process.getOutputStream().close();
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      int exit = process.waitFor();
      if (exit == NOT_KEPT) {
        throw new MojoFailureException("a gate is not kept: page=" + page + "\n" + said);
      }
      if (exit != 0) {
        throw new MojoExecutionException(
            "recordings cannot be compared: exit=" + exit + "\n" + said);
      }
      getLog().info(said.strip());
    } catch (IOException e) {
      throw new MojoExecutionException("kymo cannot be run: command=" + command, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new MojoExecutionException("interrupted", e);
    }
  }

  private static List<String> recordings(File file) throws MojoExecutionException {
    if (file.getName().endsWith(ENDING)) {
      return List.of(file.getPath());
    }
    try (Stream<Path> files = Files.list(file.toPath())) {
      List<String> found =
          files.map(Path::toString).filter(name -> name.endsWith(ENDING)).sorted().toList();
      if (found.isEmpty()) {
        throw new MojoExecutionException("there is no recording: folder=" + file);
      }
      return found;
    } catch (IOException e) {
      throw new MojoExecutionException("no such folder: folder=" + file, e);
    }
  }
}
