package dev.kymo.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is said where there is no tracing, in folders that look like such systems. */
class TracefsTest {
  @TempDir Path folder;

  private Path root;
  private Path proc;

  @BeforeEach
  void system() throws IOException {
    root = Files.createDirectories(folder.resolve("tracing"));
    proc = folder.resolve("proc");
    Files.createDirectories(proc.resolve("self"));
    Files.writeString(proc.resolve("filesystems"), "nodev\tsysfs\nnodev\ttracefs\n");
    uid(0);
  }

  private void uid(int uid) throws IOException {
    Files.writeString(proc.resolve("self/status"), "Name:\tx\nUid:\t7\t%d\t7\t7\n".formatted(uid));
  }

  private Tracefs find() throws KernelException {
    return Tracefs.find(List.of(root, folder.resolve("other")), proc, false);
  }

  @Test
  void notRoot() throws IOException {
    uid(1000);
    assertThatThrownBy(this::find)
        .isInstanceOf(KernelException.class)
        .hasMessage(
            "kernel events need root: %s is not readable by uid 1000; start the daemon as root (or ask the administrator to)",
            root);
  }

  @Test
  void otherNumbers() throws IOException {
    Files.createDirectories(proc.resolve("self/ns"));
    Files.createSymbolicLink(proc.resolve("self/ns/pid"), Path.of("pid:[4026532178]"));
    assertThatThrownBy(this::find)
        .isInstanceOf(KernelException.class)
        .hasMessage(
            "processes have other numbers in this container than in kernel events: record them outside");
  }

  @Test
  void notMounted() {
    assertThatThrownBy(this::find)
        .isInstanceOf(KernelException.class)
        .hasMessage(
            "kernel events need tracefs, which is not mounted: path=%s; run: mount -t tracefs none %s",
            root, root);
  }

  @Test
  void noFtrace() throws IOException {
    Files.writeString(proc.resolve("filesystems"), "nodev\tsysfs\n");
    assertThatThrownBy(this::find)
        .isInstanceOf(KernelException.class)
        .hasMessage(
            "this kernel has no ftrace: tracefs is not in /proc/filesystems; kernel events cannot be recorded on it");
  }

  @Test
  void secondPlace() throws IOException {
    Path other = folder.resolve("other");
    Files.createDirectories(other.resolve("instances"));
    Files.writeString(other.resolve("trace_clock"), "");
    assertThat(find().root()).isEqualTo(other);
  }
}
