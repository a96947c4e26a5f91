package dev.kymo.e2e.kit;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;

/** A key and a certificate of localhost, for programs that talk under TLS. */
public final class Keys {
  private static final String PASSWORD = "password";

  private Keys() {}

  /** Makes a key store, whose password is {@code password}, in a folder. */
  public static Path make(Path folder) throws Exception {
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
            PASSWORD);
    assertThat(made.exit()).as(made.err()).isZero();
    return keys;
  }

  /** Writes the same key and certificate as text, for OpenSSL; returns the file. */
  public static Path text(Path keys) throws Exception {
    KeyStore store = KeyStore.getInstance(keys.toFile(), PASSWORD.toCharArray());
    Path text = keys.resolveSibling("keys.pem");
    Base64.Encoder lines = Base64.getMimeEncoder(64, new byte[] {'\n'});
    Files.writeString(
        text,
        "-----BEGIN PRIVATE KEY-----\n%s\n-----END PRIVATE KEY-----\n"
                .formatted(
                    lines.encodeToString(store.getKey("it", PASSWORD.toCharArray()).getEncoded()))
            + "-----BEGIN CERTIFICATE-----\n%s\n-----END CERTIFICATE-----\n"
                .formatted(lines.encodeToString(store.getCertificate("it").getEncoded())));
    return text;
  }
}
