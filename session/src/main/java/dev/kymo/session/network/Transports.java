package dev.kymo.session.network;

import dev.kymo.network.transport.Transport;
import dev.kymo.session.UsageException;
import dev.kymo.session.system.AgentJar;
import java.io.IOException;
import java.io.Reader;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.ServiceLoader;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Finds transports: directories of the installation that are loaded only when they are used. */
public final class Transports {
  private static final Pattern ADDRESS = Pattern.compile("([a-z]+)://.*");

  private Transports() {}

  /** Whether an address is that of a transport. */
  public static boolean isMeant(String address) {
    return ADDRESS.matcher(address).matches();
  }

  /**
   * Loads the transport of an address, for as long as the program runs.
   *
   * @throws UsageException if there is none
   */
  public static Transport of(String address) throws IOException {
    Matcher matcher = ADDRESS.matcher(address);
    if (!matcher.matches()) {
      throw new UsageException("not an address of a transport: address=" + address);
    }
    String name = matcher.group(1);
    Path directory = AgentJar.find().resolveSibling("../" + name).normalize();
    ClassLoader loader =
        new URLClassLoader(name, jars(directory), Transports.class.getClassLoader());
    Thread.currentThread().setContextClassLoader(loader); // Kafka looks for its classes there
    for (Transport each : ServiceLoader.load(Transport.class, loader)) {
      if (each.name().equals(name)) {
        return each;
      }
    }
    throw new UsageException(
        "this installation cannot send to or receive from %s: address=%s missing=%s; build module optional/%s, or copy that directory from an installation that has it"
            .formatted(name, address, directory, name));
  }

  private static URL[] jars(Path directory) throws IOException {
    List<URL> jars = new ArrayList<>();
    if (Files.isDirectory(directory)) {
      try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "*.jar")) {
        for (Path file : files) {
          jars.add(file.toUri().toURL());
        }
      }
    }
    return jars.toArray(URL[]::new);
  }

  /** The user's settings for a transport; none without a file. */
  public static Properties settings(@Nullable Path file) throws IOException {
    Properties settings = new Properties();
    if (file != null) {
      if (!Files.isRegularFile(file)) {
        throw new UsageException("no such file: path=" + file);
      }
      try (Reader in = Files.newBufferedReader(file)) {
        settings.load(in);
      } catch (IllegalArgumentException e) {
        throw new UsageException(
            "not a file of settings: path=%s error=\"%s\"".formatted(file, e.getMessage()));
      }
    }
    return settings;
  }
}
