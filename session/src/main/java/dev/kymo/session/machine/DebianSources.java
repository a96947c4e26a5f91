package dev.kymo.session.machine;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The sources of this Debian's packages, and of its backports, which it may not have in its own
 * list.
 */
final class DebianSources {
  private static final String USUAL_PLACE = "http://deb.debian.org/debian";
  private static final String USUAL_SECURITY = "http://deb.debian.org/debian-security";
  private static final String USUAL_KEYS = "/usr/share/keyrings/debian-archive-keyring.gpg";
  private static final Pattern FIELD = Pattern.compile("(?m)^([A-Za-z-]+):[ \t]*(.*)$");
  private static final Pattern LINE =
      Pattern.compile("(?m)^deb\\s+(?:\\[([^\\]]*)\\]\\s+)?(\\S+)\\s+(\\S+)\\s");
  private static final Pattern KEYS = Pattern.compile("signed-by=(/[^\\s\\]]+)");

  private final Path configuration;
  private final List<Source> found = new ArrayList<>();

  /** One place with the suites in it; keys are a file. */
  private record Source(String place, List<String> suites, String keys) {}

  /** Those in {@code /etc/apt}, or another directory. */
  DebianSources(Path configuration) throws IOException {
    this.configuration = configuration;
    Path parts = configuration.resolve("sources.list.d");
    List<Path> files = new ArrayList<>();
    if (Files.isDirectory(parts)) {
      try (DirectoryStream<Path> all = Files.newDirectoryStream(parts, "*.{list,sources}")) {
        all.forEach(files::add);
      }
    }
    files.add(configuration.resolve("sources.list"));
    for (Path file : files) {
      if (Files.isRegularFile(file) && Files.isReadable(file)) {
        read(Files.readString(file));
      }
    }
  }

  private void read(String text) {
    for (String paragraph : text.split("\n\\s*\n")) {
      String place = "";
      String suites = "";
      String keys = USUAL_KEYS;
      Matcher fields = FIELD.matcher(paragraph);
      while (fields.find()) {
        String value = fields.group(2).strip();
        switch (fields.group(1)) {
          case "URIs" -> place = value.split("\\s")[0];
          case "Suites" -> suites = value;
          case "Signed-By" -> keys = value.startsWith("/") ? value : keys;
          default -> {}
        }
      }
      if (!place.isEmpty()) {
        found.add(new Source(place, List.of(suites.split("\\s+")), keys));
      }
    }
    Matcher lines = LINE.matcher(text);
    while (lines.find()) {
      Matcher keys = KEYS.matcher(lines.group(1) == null ? "" : lines.group(1));
      found.add(
          new Source(
              lines.group(2), List.of(lines.group(3)), keys.find() ? keys.group(1) : USUAL_KEYS));
    }
  }

  /**
   * Lines for a list of sources.
   *
   * @param release its name, such as bookworm
   */
  String lines(String release, boolean backports) {
    String main = line(release, release, USUAL_PLACE);
    String security = line(release + "-security", release + "-security", USUAL_SECURITY);
    String newer = backports ? line(release, release + "-backports", USUAL_PLACE) : "";
    return main + security + newer;
  }

  private String line(String like, String suite, String usual) {
    Source source =
        Stream.concat(
                found.stream().filter(each -> each.suites.contains(like)),
                Stream.of(new Source(usual, List.of(), USUAL_KEYS)))
            .findFirst()
            .orElseThrow();
    String keys = Files.isReadable(Path.of(source.keys)) ? "[signed-by=" + source.keys + "] " : "";
    return "deb %s%s %s main\n".formatted(keys, source.place, suite);
  }

  @Override
  public String toString() {
    return configuration + " " + found;
  }
}
