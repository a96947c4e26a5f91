package dev.kymo.reader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kymo.testkit.RecordingBuilder;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A recording may come from anybody, with anything in it that a file system can hold. */
@Timeout(value = 10, unit = TimeUnit.MINUTES) // a pipe that is opened is waited for
class ForeignRecordingTest {
  private static final String RING = "p1-ring-0";

  @TempDir Path folder;
  private Path path = Path.of("");

  @BeforeEach
  void write() {
    RecordingBuilder recording = new RecordingBuilder();
    recording.process(1).thread(1, 1, "main").method(1, 7, "a.B", "run");
    recording.ring(1, 0, 1).enter(100, 7).leave(200, 7);
    path = recording.write(folder.resolve("foreign.kymo"));
  }

  /** What a reading of the whole delivers. */
  private record Read(long events, List<String> oddities) {}

  private static Read read(Path path) throws IOException {
    try (Recording recording = Recording.open(path)) {
      return read(recording);
    }
  }

  private static Read read(Recording recording) {
    Diagnostics diagnostics = new Diagnostics();
    Heard heard = new Heard(recording);
    SegmentMerge.run(recording.openThreads(diagnostics), heard, done -> {});
    List<String> oddities = new ArrayList<>(recording.diagnostics().texts());
    oddities.addAll(diagnostics.texts());
    return new Read(heard.countUpTo(Long.MAX_VALUE), oddities);
  }

  private static void pipe(Path at) throws Exception {
    Process made = new ProcessBuilder("mkfifo", at.toString()).inheritIO().start();
    assertThat(made.waitFor()).isZero();
  }

  @Test
  void mayBeNamedByALink() throws Exception {
    Path link = Files.createSymbolicLink(folder.resolve("link.kymo"), path);
    assertThat(read(link).events()).isEqualTo(2);
  }

  @Test
  void streamsThatAreLinksAreNotRead() throws Exception {
    Path secret = folder.resolve("secret");
    Files.move(path.resolve(RING), secret);
    Files.createSymbolicLink(path.resolve(RING), secret);
    Read heard = read(path);
    assertThat(heard.events()).isZero();
    assertThat(heard.oddities())
        .containsExactly(
            "p1-ring-0: is not a file of the recording itself: offset=0 it=\"a link\"; not read;"
                + " links are not followed");
  }

  @Test
  void streamsThatArePipesAreNotWaitedFor() throws Exception {
    pipe(path.resolve("p1-ring-1"));
    pipe(path.resolve(".rings"));
    pipe(path.resolve(".present"));
    Read heard = read(path);
    assertThat(heard.events()).isEqualTo(2);
    assertThat(heard.oddities())
        .containsExactly(
            "p1-ring-1: is not a file of the recording itself: offset=0 it=\"a pipe or a device\";"
                + " not read; links are not followed");
    try (Recording recording = Recording.open(path)) {
      assertThat(recording.isGrowing()).isFalse();
    }
  }

  @Test
  void metadataIsNotReadThroughALink() throws Exception {
    Files.move(path.resolve("metadata"), folder.resolve("elsewhere"));
    Files.createSymbolicLink(path.resolve("metadata"), folder.resolve("elsewhere"));
    assertThatThrownBy(() -> Recording.open(path))
        .isInstanceOf(RecordingException.class)
        .hasMessage(
            "recording's metadata is a link, and links out of a recording are not followed: path="
                + path);
  }

  @Test
  void aStreamThatBecomesALinkIsNotRead() throws Exception {
    try (Recording recording = Recording.open(path)) {
      Files.move(path.resolve(RING), folder.resolve("secret"));
      Files.createSymbolicLink(path.resolve(RING), folder.resolve("secret"));
      Read heard = read(recording);
      assertThat(heard.events()).isZero();
      assertThat(heard.oddities().getFirst())
          .startsWith("p1-ring-0: file cannot be read: offset=0");
    }
  }

  /** Read byte for byte, it would take minutes. */
  @Test
  void holesTakeNoTime() throws Exception {
    try (RandomAccessFile file = new RandomAccessFile(path.resolve("p1-ring-3").toFile(), "rw")) {
      file.setLength(200L << 30);
    }
    try (RandomAccessFile file = new RandomAccessFile(path.resolve(RING).toFile(), "rw")) {
      file.setLength(200L << 30);
    }
    Read heard = read(path);
    assertThat(heard.events()).isEqualTo(2);
    assertThat(heard.oddities()).anyMatch(text -> text.startsWith("p1-ring-3: no packet begins"));
  }
}
