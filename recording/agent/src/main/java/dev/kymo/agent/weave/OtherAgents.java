package dev.kymo.agent.weave;

import java.io.File;
import java.net.URI;
import java.net.URISyntaxException;
import java.security.CodeSource;
import java.security.ProtectionDomain;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The other agents that the program was started with: they are not part of the program. */
final class OtherAgents {
  private static final String OPTION = "-javaagent:";

  /** How options begin that load the agent of debuggers. */
  private static final List<String> DEBUGGERS = List.of("-agentlib:jdwp", "-Xrunjdwp");

  private final Set<File> jars;
  private final boolean debugger;

  private OtherAgents(Set<File> jars, boolean debugger) {
    this.jars = jars;
    this.debugger = debugger;
  }

  /** Finds the agents that the virtual machine's options name, wherever the options come from. */
  static OtherAgents find() {
    try {
      Object options =
          Class.forName("jdk.internal.misc.VM").getMethod("getRuntimeArguments").invoke(null);
      return of(options instanceof String[] words ? words : new String[0]);
    } catch (ReflectiveOperationException | RuntimeException e) {
      return of(); // another version of the JDK
    }
  }

  static OtherAgents of(String... options) {
    Set<File> jars = new HashSet<>();
    boolean debugger = false;
    for (String option : options) {
      debugger |= DEBUGGERS.stream().anyMatch(option::startsWith);
      if (option.startsWith(OPTION)) {
        int end = option.indexOf('=');
        String jar = option.substring(OPTION.length(), end < 0 ? option.length() : end);
        jars.add(new File(jar).getAbsoluteFile().toPath().normalize().toFile());
      }
    }
    return new OtherAgents(jars, debugger);
  }

  /**
   * Whether a debugger may have breakpoints in the program's classes. The virtual machine takes
   * them out of each class that is transformed again, and tells nobody.
   */
  boolean haveDebugger() {
    return debugger;
  }

  /** Whether a class belongs to one of these agents. */
  boolean have(@Nullable ProtectionDomain domain) {
    CodeSource source = domain == null || jars.isEmpty() ? null : domain.getCodeSource();
    if (source == null || source.getLocation() == null) {
      return false;
    }
    try {
      URI location = source.getLocation().toURI();
      return location.getScheme().equals("file") && jars.contains(new File(location));
    } catch (URISyntaxException | IllegalArgumentException e) {
      return false; // it comes from no file
    }
  }
}
