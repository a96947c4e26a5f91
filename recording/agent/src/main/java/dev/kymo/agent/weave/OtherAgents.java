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

  /** By class of class loaders; asked once for each, because a security manager may be asked. */
  private final ClassValue<Boolean> loaders =
      new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
          return isOfAgents(type);
        }
      };

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

  /**
   * Whether a class belongs to one of these agents: it is of their jars, or its class loader is.
   *
   * @param loader null is the boot loader
   */
  boolean have(@Nullable ClassLoader loader, @Nullable ProtectionDomain domain) {
    return !jars.isEmpty() && (areOf(domain) || (loader != null && loaders.get(loader.getClass())));
  }

  /** An agent's class loaders are of its jar, of the boot loader, or of another one of its own. */
  private boolean isOfAgents(Class<?> type) {
    ClassLoader of = type.getClassLoader();
    if (of == null) {
      return !type.getModule().isNamed(); // only agents have classes there that are not the JDK's
    }
    try {
      return areOf(type.getProtectionDomain()) || loaders.get(of.getClass());
    } catch (SecurityException e) {
      return false;
    }
  }

  private boolean areOf(@Nullable ProtectionDomain domain) {
    CodeSource source = domain == null ? null : domain.getCodeSource();
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
