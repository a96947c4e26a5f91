package dev.kymo.e2e.kit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A JDK on this machine; the JDK that runs the tests always exists.
 *
 * @param feature 17, 21, 25
 */
public record Jdk(int feature, Path home) {
  private static final Pattern RELEASE = Pattern.compile("(?m)^JAVA_VERSION=\"(\\d+)");

  public Path java() {
    return home.resolve("bin/java");
  }

  /** One JDK of each version from 17 on. A missing version is not tested here. */
  public static List<Jdk> all() {
    TreeMap<Integer, Jdk> found = new TreeMap<>();
    List<Path> homes = new ArrayList<>();
    homes.add(Path.of(System.getProperty("java.home")));
    try (DirectoryStream<Path> installed = Files.newDirectoryStream(Path.of("/usr/lib/jvm"))) {
      installed.forEach(homes::add);
    } catch (IOException e) {
      System.out.println("no /usr/lib/jvm: only the running JDK is tested");
    }
    for (Path home : homes) {
      int feature = feature(home);
      if (feature >= 17 && Files.isExecutable(home.resolve("bin/javac"))) {
        found.putIfAbsent(feature, new Jdk(feature, home));
      }
    }
    return List.copyOf(found.values());
  }

  public static List<Jdk> withVirtualThreads() {
    return all().stream().filter(jdk -> jdk.feature >= 21).toList();
  }

  public static Jdk running() {
    Path home = Path.of(System.getProperty("java.home"));
    return new Jdk(feature(home), home);
  }

  private static int feature(Path home) {
    Path release = home.resolve("release");
    if (!Files.isRegularFile(release)) {
      return 0;
    }
    try {
      Matcher matcher = RELEASE.matcher(Files.readString(release));
      return matcher.find() ? Integer.parseInt(matcher.group(1)) : 0;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public String toString() {
    return "JDK " + feature;
  }
}
