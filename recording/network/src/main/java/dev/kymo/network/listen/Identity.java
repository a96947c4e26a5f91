package dev.kymo.network.listen;

import dev.kymo.network.wire.Secret;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/**
 * The identity of a receiver: a key with a certificate that it made itself, which senders know by
 * its fingerprint, and the token that senders show. Kept in files that only the user may read.
 */
public final class Identity {
  /** Tokens of a user's own receivers are here, so that the user's own senders find them. */
  private static final String TOKEN = "token";

  /** Of the certificate: so they know that it is the user's own receiver that they find. */
  private static final String FINGERPRINT = "fingerprint";

  private static final String KEY = "key.p12";
  private static final String PASSWORD = "key-password";
  private static final int PATIENCE_SECONDS = 60;

  private final SSLContext context;
  private final String fingerprint;
  private final String token;

  private Identity(SSLContext context, String fingerprint, String token) {
    this.context = context;
    this.fingerprint = fingerprint;
    this.token = token;
  }

  /** Reads it from a directory; the first time it is made there. */
  public static Identity in(Path directory) throws IOException, InterruptedException {
    Secret.makeDirectory(directory);
    Path token = directory.resolve(TOKEN);
    if (!Files.exists(token)) {
      Secret.write(token, Secret.make());
    }
    Path key = directory.resolve(KEY);
    if (!Files.exists(key)) {
      makeKey(directory);
    }
    try {
      Identity identity =
          read(key, Secret.read(directory.resolve(PASSWORD)), Secret.read(token).strip());
      Path fingerprint = directory.resolve(FINGERPRINT);
      if (!Files.exists(fingerprint)
          || !Secret.read(fingerprint).strip().equals(identity.fingerprint)) {
        Secret.write(fingerprint, identity.fingerprint + "\n");
      }
      return identity;
    } catch (GeneralSecurityException e) {
      throw new IOException(
          "key cannot be used: file=%s error=\"%s\"; remove the file, and a new one is made"
              .formatted(key, e.getMessage()),
          e);
    }
  }

  private static Identity read(Path key, String password, String token)
      throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(key)) {
      store.load(in, password.toCharArray());
    }
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(store, password.toCharArray());
    SSLContext context = SSLContext.getInstance("TLSv1.3");
    context.init(keys.getKeyManagers(), null, null);
    if (!(store.getCertificate("kymo") instanceof X509Certificate certificate)) {
      throw new GeneralSecurityException("it has no certificate named kymo");
    }
    return new Identity(context, Secret.fingerprint(certificate), token);
  }

  /** The class library makes no certificates; the tool that comes with it does. */
  private static void makeKey(Path directory) throws IOException, InterruptedException {
    Path password = directory.resolve(PASSWORD);
    Secret.write(password, Secret.make());
    Path fresh = directory.resolve(".fresh.p12");
    Files.deleteIfExists(fresh);
    Process tool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "kymo",
                "-keyalg",
                "EC",
                "-groupname",
                "secp256r1",
                "-dname",
                "CN=kymo",
                "-validity",
                "36500",
                "-storetype",
                "PKCS12",
                "-keystore",
                fresh.toString(),
                "-storepass:file",
                password.toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(tool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (!tool.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) || tool.exitValue() != 0) {
      tool.destroyForcibly();
      throw new IOException("no certificate could be made: keytool says \"" + said.strip() + "\"");
    }
    Files.setPosixFilePermissions(fresh, PosixFilePermissions.fromString("rw-------"));
    Files.move(fresh, directory.resolve(KEY), StandardCopyOption.ATOMIC_MOVE);
  }

  public SSLContext context() {
    return context;
  }

  /** SHA-256 of the certificate. */
  public String fingerprint() {
    return fingerprint;
  }

  /** What senders must show. */
  public String token() {
    return token;
  }
}
