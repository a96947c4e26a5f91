package dev.kymo.session.control;

import dev.kymo.drain.Home;
import dev.kymo.drain.SharedMemory;
import dev.kymo.format.ControlLayout;
import dev.kymo.format.MailboxLayout;
import dev.kymo.session.container.Container;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A process that is being recorded, as others on the machine reach its recorder: that of a Java
 * program by a socket, that of a native one by a mailbox. A program can have both.
 */
public final class RecordedProcess {
  private final long pid;
  private final Path home;

  private RecordedProcess(long pid, Path home) {
    this.pid = pid;
    this.home = home;
  }

  /**
   * Finds its recorders: at least one.
   *
   * @throws IOException if it is not recorded, or not by this user
   */
  public static List<RecordedProcess> find(long pid) throws IOException {
    List<RecordedProcess> found = all(pid);
    if (found.isEmpty()) {
      throw new IOException(
          "this process is not recorded, or not by this user: pid=" + pid + "; use kymo record");
    }
    return found;
  }

  /** Whether this user records a process. */
  public static boolean isRecorded(long pid) throws IOException {
    return !all(pid).isEmpty();
  }

  private static List<RecordedProcess> all(long pid) throws IOException {
    List<RecordedProcess> found = new ArrayList<>();
    for (Path own : SharedMemory.existing()) {
      try (DirectoryStream<Path> recordings = Files.newDirectoryStream(own)) {
        for (Path recording : recordings) {
          found.addAll(find(SharedMemory.processes(recording), pid));
        }
      }
    }
    found.addAll(find(Container.homes(pid), pid));
    return found;
  }

  private static List<RecordedProcess> find(List<Path> homes, long pid) {
    List<RecordedProcess> found = new ArrayList<>();
    for (Path home : homes) {
      RecordedProcess process = new RecordedProcess(pid, home);
      if (process.isRunning() && (process.hasSocket() || process.hasMailbox())) {
        found.add(process);
      }
    }
    return found;
  }

  private boolean hasSocket() {
    return Files.exists(home.resolve(ControlLayout.SOCKET), LinkOption.NOFOLLOW_LINKS);
  }

  private boolean hasMailbox() {
    return Files.isRegularFile(home.resolve(MailboxLayout.FILE), LinkOption.NOFOLLOW_LINKS);
  }

  /** Whether this is the process, it is alive, and it is recorded. */
  private boolean isRunning() {
    return Home.isOf(pid, home);
  }

  private void checkRunning() throws IOException {
    if (!isRunning()) {
      throw new IOException(
          "this process has ended, or is recorded no longer, before it answered: pid=" + pid);
    }
  }

  public String kind() {
    return hasSocket() ? "java" : "native";
  }

  public String say(String line) throws IOException {
    if (hasSocket()) {
      return say(home.resolve(ControlLayout.SOCKET), line);
    }
    try {
      return Mailbox.say(home.resolve(MailboxLayout.FILE), this::checkRunning, line);
    } catch (NoSuchFileException e) {
      checkRunning(); // most likely it has just ended, which this reports
      throw e;
    }
  }

  private static String say(Path socket, String line) throws IOException {
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
