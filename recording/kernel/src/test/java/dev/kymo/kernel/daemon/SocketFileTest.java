package dev.kymo.kernel.daemon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kymo.kernel.KernelException;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The socket is where nobody but root can put another one, whatever others have put in the way. */
class SocketFileTest {
  private static final int HOSTILE = 54_321;

  private Path folder = Path.of("/nowhere");

  @BeforeEach
  void isRoot() throws IOException {
    boolean root = Credentials.own() == 0;
    if (!root) {
      System.out.println("SKIPPED SocketFileTest: it gives files to other users, which needs root");
    }
    assumeTrue(root, "files are given to other users, which needs root");
    folder = Daemons.folder();
  }

  /** Also called where the test was skipped before it had a folder. */
  @AfterEach
  void remove() throws IOException {
    if (Files.notExists(folder)) {
      return;
    }
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path path : all.sorted(java.util.Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }

  private static void isRefused(Path socket, String reason) {
    assertThatThrownBy(() -> SocketFile.open(socket).close())
        .isInstanceOf(KernelException.class)
        .hasMessage(reason);
    assertThat(socket).doesNotExist();
    assertThat(socket.resolveSibling(socket.getFileName() + ".lock")).doesNotExist();
  }

  private Path made(String name, int mode, int owner) throws IOException {
    Path made = Files.createDirectory(folder.resolve(name));
    Files.setAttribute(made, "unix:mode", mode);
    Files.setAttribute(made, "unix:uid", owner);
    return made;
  }

  @Test
  void aFolderThatOthersMayWriteTo() throws Exception {
    for (int mode : new int[] {0777, 0775, 01777}) {
      Files.setAttribute(folder, "unix:mode", mode);
      isRefused(
          folder.resolve("kernel"),
          "others could replace the socket: folder=%s mode=%o;".formatted(folder, mode)
              + " use a folder that only root may write to, also in all folders above it");
    }
  }

  @Test
  void aFolderInOneThatOthersMayWriteTo() throws Exception {
    Path above = made("above", 0777, 0);
    Path below = Files.createDirectory(above.resolve("below"));
    isRefused(
        below.resolve("kernel"),
        "others could replace the socket: folder=%s mode=777;".formatted(above)
            + " use a folder that only root may write to, also in all folders above it");
  }

  @Test
  void aFolderOfAnotherUser() throws Exception {
    Path other = made("other", 0755, HOSTILE);
    Path below = Files.createDirectory(other.resolve("below"));
    for (Path at : new Path[] {other, below}) {
      isRefused(
          at.resolve("kernel"),
          "others could replace the socket: folder=%s path=%s owner=54321;".formatted(at, other)
              + " use a folder that belongs to root, as do all above it");
    }
  }

  /** Else he would say where root makes files. */
  @Test
  void aLinkOfAnotherUser() throws Exception {
    Path target = made("target", 0755, 0);
    Path link = Files.createSymbolicLink(folder.resolve("link"), target);
    new ProcessBuilder("chown", "-h", Integer.toString(HOSTILE), link.toString())
        .inheritIO()
        .start()
        .waitFor();
    Path socket = link.resolve("new/kernel");
    isRefused(
        socket,
        "others could replace the socket: folder=%s path=%s owner=54321;"
                .formatted(socket.getParent(), link)
            + " use a folder that belongs to root, as do all above it");
    assertThat(target).isEmptyDirectory();
  }

  @Test
  void aLinkOfRootsIsFollowedOnce() throws Exception {
    Path target = made("target", 0755, 0);
    Path link = Files.createSymbolicLink(folder.resolve("link"), target);
    try (SocketFile socket = SocketFile.open(link.resolve("kernel"))) {
      assertThat(socket.path()).isEqualTo(target.resolve("kernel"));
      assertThat(Files.getAttribute(socket.path(), "unix:mode")).isEqualTo(0140666);
    }
  }

  @Test
  void somethingThatIsNoSocketStays() throws Exception {
    Path file = Files.writeString(folder.resolve("kernel"), "precious");
    Path link = Files.createSymbolicLink(folder.resolve("link"), file);
    for (Path path : new Path[] {file, link}) {
      assertThatThrownBy(() -> SocketFile.open(path))
          .hasMessage(
              "the path exists and is not a socket: path=%s; remove it, or use another --socket"
                  .formatted(path));
    }
    assertThat(file).hasContent("precious");
  }

  /** One that systemd has made, say, and keeps for the next daemon. */
  @Test
  void aSocketThatIsGivenStays() throws Exception {
    Path path = folder.resolve("kernel");
    ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    server.bind(UnixDomainSocketAddress.of(path));
    try (SocketFile socket = SocketFile.given(server)) {
      assertThat(socket.path()).isEqualTo(path);
      assertThatThrownBy(() -> SocketFile.open(path))
          .isInstanceOf(KernelException.class)
          .hasMessageContaining("a daemon is there already");
    }
    assertThat(path).exists();
    Files.setAttribute(folder, "unix:mode", 0777);
    try (ServerSocketChannel other = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      other.bind(UnixDomainSocketAddress.of(folder.resolve("other")));
      assertThatThrownBy(() -> SocketFile.given(other))
          .isInstanceOf(KernelException.class)
          .hasMessageContaining("others could replace the socket");
    }
  }
}
