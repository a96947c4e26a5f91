package dev.kymo.maven;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.apache.maven.artifact.Artifact;
import org.apache.maven.plugin.AbstractMojo;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;
import org.apache.maven.project.MavenProject;

/** Has each virtual machine that Surefire or Failsafe starts recorded, by the agent alone. */
@Mojo(name = "record", defaultPhase = LifecyclePhase.INITIALIZE, threadSafe = true)
public final class RecordMojo extends AbstractMojo {
  private static final String AGENT = "dev.kymo:kymo-agent";

  /** The recording of a virtual machine; {@code %p} is its process. */
  @Parameter(property = "kymo.out", defaultValue = "${project.build.directory}/kymo/tests-%p.kymo")
  String out;

  /** Further options of the agent, separated by commas: {@code budget=none,include=shop}. */
  @Parameter(property = "kymo.options")
  String options;

  /** The property with the arguments of these virtual machines, to which the agent is added. */
  @Parameter(property = "kymo.property", defaultValue = "argLine")
  String property;

  /** Whether nothing is recorded. */
  @Parameter(property = "kymo.skip", defaultValue = "false")
  boolean skip;

  @Parameter(defaultValue = "${plugin.artifactMap}", readonly = true, required = true)
  Map<String, Artifact> artifacts;

  @Parameter(defaultValue = "${project}", readonly = true, required = true)
  MavenProject project;

  /** Maven makes the object, and sets its fields. */
  public RecordMojo() {}

  @Override
  public void execute() throws MojoExecutionException {
    if (skip) {
      return;
    }
    Artifact jar = artifacts.get(AGENT);
    Path folder = Path.of(out).toAbsolutePath().getParent();
    if (jar == null || folder == null) {
      throw new MojoExecutionException("no agent, or no folder for recordings: out=" + out);
    }
    try {
      Files.createDirectories(folder);
    } catch (IOException e) {
      throw new MojoExecutionException("no place for recordings: folder=" + folder, e);
    }
    String agent =
        "-javaagent:"
            + jar.getFile()
            + "=out="
            + out
            + (options == null || options.isEmpty() ? "" : "," + options);
    String given = project.getProperties().getProperty(property, "");
    project.getProperties().setProperty(property, ('"' + agent + "\" " + given).strip());
    getLog().info("tests are recorded: " + property + "=" + agent);
  }
}
