package dev.kymo.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;

/** A key and a certificate of localhost, for programs that talk under TLS. */
final class Keys {
  private Keys() {}

  /** Makes a key store, whose password is {@code password}, in a folder. */
  static Path make(Path folder) throws Exception {
    Path keys = folder.resolve("keys");
    Kymo.Result made =
        Kymo.exec(
            folder,
            Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
            "-genkeypair",
            "-keyalg",
            "EC",
            "-alias",
            "it",
            "-dname",
            "CN=localhost",
            "-ext",
            "san=dns:localhost",
            "-keystore",
            keys.toString(),
            "-storepass",
            "password");
    assertThat(made.exit()).as(made.err()).isZero();
    return keys;
  }
}
