package dev.kymo.cli;

import dev.kymo.format.ControlLayout;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A process that is being recorded, as others on the machine reach its recorder. */
final class RecordedProcess {
  private final Path socket;

  private RecordedProcess(Path socket) {
    this.socket = socket;
  }

  /**
   * Finds it.
   *
   * @throws IOException if it is not recorded, or not by this user
   */
  static RecordedProcess find(long pid) throws IOException {
    try (DirectoryStream<Path> recordings =
        Files.newDirectoryStream(SharedMemory.parent(), SharedMemory.PREFIX + "*")) {
      for (Path recording : recordings) {
        if (Files.isReadable(recording)) {
          Path home = home(recording, pid);
          if (home != null) {
            return new RecordedProcess(home.resolve(ControlLayout.SOCKET));
          }
        }
      }
    }
    throw new IOException(
        "this process is not recorded, or not by this user: pid=" + pid + "; use kymo record");
  }

  private static @org.jspecify.annotations.Nullable Path home(Path recording, long pid)
      throws IOException {
    try (DirectoryStream<Path> homes = Files.newDirectoryStream(recording, "p*")) {
      for (Path home : homes) {
        if (pid(home.resolve("control")) == pid
            && Files.exists(home.resolve(ControlLayout.SOCKET))) {
          return home;
        }
      }
    }
    return null;
  }

  private static long pid(Path control) throws IOException {
    if (!Files.exists(control)) {
      return -1;
    }
    ByteBuffer page = ByteBuffer.allocate(64).order(ByteOrder.LITTLE_ENDIAN);
    try (FileChannel channel = FileChannel.open(control, StandardOpenOption.READ)) {
      channel.read(page, 0);
    }
    boolean running = page.getInt(ControlLayout.STATE_OFFSET) == ControlLayout.RUNNING;
    return running ? page.getInt(ControlLayout.PID_OFFSET) : -1;
  }

  /** Says a line; returns the answer. */
  String say(String line) throws IOException {
    try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      channel.connect(UnixDomainSocketAddress.of(socket));
      channel.write(ByteBuffer.wrap((line + "\n").getBytes(StandardCharsets.UTF_8)));
      ByteArrayOutputStream answer = new ByteArrayOutputStream();
      ByteBuffer part = ByteBuffer.allocate(8192);
      while (channel.read(part.clear()) >= 0) {
        answer.write(part.array(), 0, part.position());
      }
      return answer.toString(StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new IOException(
          "the recorder of this process does not answer: socket=" + socket + " error=" + e, e);
    }
  }
}
