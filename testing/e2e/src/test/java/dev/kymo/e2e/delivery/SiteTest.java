package dev.kymo.e2e.delivery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kymo.e2e.kit.Kymo;
import dev.kymo.testkit.SourceTree;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The site that is made of docs/: every link leads somewhere, and it opens from disk. */
@Tag("documents")
class SiteTest {
  private static final Path SOURCE = SourceTree.path("site").toAbsolutePath().normalize();
  private static final Pattern LINK = Pattern.compile("(?:href|src)=\"([^\"]*)\"");
  private static final Pattern PLACE = Pattern.compile(" id=\"([^\"]*)\"");

  @TempDir Path folder;

  @Test
  void opensFromDiskAndLeadsNowhereInVain() throws Exception {
    Path site = folder.resolve("site");
    boolean node = Files.exists(SourceTree.path("reading/viewer/node_modules/playwright-core"));
    assumeTrue(node, "the site is made with Node.js, which is not there");
    Kymo.Result built = Kymo.exec(SOURCE, "./build", site.toString());
    assertThat(built.exit()).as(built.out() + built.err()).isZero();
    Map<Path, String> pages = pages(site);
    assertThat(pages).hasSizeGreaterThan(60);
    assertThat(inVain(site, pages)).isEmpty();
    assertThat(pages.get(site.resolve("reference/record.html")))
        .contains("<code>--snapshot-when RULE</code>");
    assertThat(pages.get(site.resolve("reference/tables.html")))
        .contains("<h2 id=\"calls\"", "<code>duration</code>", "<h3 id=\"path-between\"");
    Path chromium = Path.of(System.getenv().getOrDefault("KYMO_CHROMIUM", "/usr/bin/chromium"));
    assumeTrue(Files.isExecutable(chromium), "no browser to open the site in: install chromium");
    Kymo.Result opened =
        Kymo.exec(SOURCE, "node", "test/opens.mjs", site.toString(), chromium.toString());
    assertThat(opened.exit()).as(opened.out() + opened.err()).isZero();
  }

  private static Map<Path, String> pages(Path site) throws IOException {
    Map<Path, String> pages = new HashMap<>();
    try (Stream<Path> files = Files.walk(site)) {
      for (Path file : files.filter(each -> each.toString().endsWith(".html")).toList()) {
        pages.put(file, Files.readString(file));
      }
    }
    return pages;
  }

  /** Links to files that are not there, or to places that their page does not have. */
  private static List<String> inVain(Path site, Map<Path, String> pages) {
    Map<Path, Set<String>> places = new HashMap<>();
    pages.forEach((file, text) -> places.put(file, all(PLACE, text)));
    List<String> found = new ArrayList<>();
    pages.forEach((file, text) -> {
      for (String link : all(LINK, text)) {
        if (URI.create(link).getScheme() != null) {
          continue;
        }
        String[] parts = link.split("#", 2);
        Path to = parts[0].isEmpty() ? file : file.resolveSibling(parts[0]).normalize();
        boolean there =
            parts.length == 1
                ? Files.exists(to)
                : places.getOrDefault(to, Set.of()).contains(parts[1]);
        if (!there) {
          found.add(site.relativize(file) + ": " + link);
        }
      }
    });
    return found;
  }

  private static Set<String> all(Pattern pattern, String text) {
    return pattern
        .matcher(text)
        .results()
        .map((MatchResult each) -> each.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
