package dev.kymo.network.wire;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.EnumSet;
import java.util.Set;

/** Secrets, and files that keep them: only their owner may read those. */
public final class Secret {
  private static final int BYTES = 24;
  private static final Set<PosixFilePermission> OWNER =
      EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);

  private Secret() {}

  /** A new one of 192 bits. */
  public static String make() {
    byte[] random = new byte[BYTES];
    new SecureRandom().nextBytes(random);
    return text(random);
  }

  /** Whether two are the same; takes as long whatever differs. */
  public static boolean same(String one, String other) {
    return MessageDigest.isEqual(
        one.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8));
  }

  /** SHA-256 of a certificate. */
  public static String fingerprint(X509Certificate certificate) {
    try {
      return text(MessageDigest.getInstance("SHA-256").digest(certificate.getEncoded()));
    } catch (NoSuchAlgorithmException | CertificateEncodingException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String text(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  /** Makes a directory that only its owner may use, and those above it. */
  public static void makeDirectory(Path directory) throws IOException {
    if (!Files.isDirectory(directory)) {
      Files.createDirectories(
          directory,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    }
  }

  /** Writes a file that only its owner may read, in place of an old one. */
  public static void write(Path file, String content) throws IOException {
    Path directory = file.toAbsolutePath().getParent();
    if (directory != null) {
      makeDirectory(directory);
    }
    Path fresh =
        file.resolveSibling("." + file.getFileName() + "." + ProcessHandle.current().pid());
    Files.deleteIfExists(fresh);
    Files.createFile(fresh, PosixFilePermissions.asFileAttribute(OWNER));
    Files.writeString(fresh, content);
    Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  /** Reads such a file; refuses one that others may read. */
  public static String read(Path file) throws IOException {
    Set<PosixFilePermission> given = Files.getPosixFilePermissions(file, LinkOption.NOFOLLOW_LINKS);
    if (!OWNER.containsAll(given)) {
      throw new IOException(
          "others may read a secret: file=%s mode=%s; say chmod 600, and make a new one if somebody did"
              .formatted(file, PosixFilePermissions.toString(given)));
    }
    return Files.readString(file);
  }
}
