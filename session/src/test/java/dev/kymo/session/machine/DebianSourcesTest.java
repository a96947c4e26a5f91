package dev.kymo.session.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Packages come from where this system gets its own. */
class DebianSourcesTest {
  @TempDir Path folder;

  @Test
  void usual() throws IOException {
    assertThat(new DebianSources(folder).lines("bookworm", false))
        .contains("http://deb.debian.org/debian bookworm main\n")
        .contains("http://deb.debian.org/debian-security bookworm-security main\n")
        .doesNotContain("backports");
  }

  @Test
  void mirrors() throws IOException {
    Path keys = Files.createFile(folder.resolve("keys.gpg"));
    Files.createDirectory(folder.resolve("sources.list.d"));
    Files.writeString(
        folder.resolve("sources.list.d/debian.sources"),
        """
        Types: deb
        URIs: http://other.example/apt
        Suites: stable
        Components: main

        # ours
        Types: deb
        URIs: https://mirror.example/debian
        Suites: bookworm bookworm-updates
        Components: main
        Signed-By: %s
        """
            .formatted(keys));
    Files.writeString(
        folder.resolve("sources.list"),
        "# deb http://old.example bookworm-security main\n"
            + "deb [arch=amd64 signed-by=%s] http://secure.example/x bookworm-security main\n"
                .formatted(keys));
    assertThat(new DebianSources(folder).lines("bookworm", true))
        .isEqualTo(
            """
            deb [signed-by=KEYS] https://mirror.example/debian bookworm main
            deb [signed-by=KEYS] http://secure.example/x bookworm-security main
            deb [signed-by=KEYS] https://mirror.example/debian bookworm-backports main
            """
                .replace("KEYS", keys.toString()));
  }
}
