package dev.kymo.model.timeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kymo.model.calls.ProgressListener;
import dev.kymo.model.index.IndexStore;
import dev.kymo.reader.Recording;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.UserPrincipal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The index is only ever a shortcut: whatever happens to it, the answers are those without it. */
class IndexTest {
  private static final Timelines.Limits LIMITS = new Timelines.Limits(200, 1 << 20, 500);

  @TempDir Path directory;

  private Path path = Path.of("");
  private Path index = Path.of("");
  private List<String> expected = List.of();

  @BeforeEach
  void write() throws Exception {
    path = new RandomRecording(11, 60_000).builder.write(directory.resolve("random"));
    index = path.resolve(".index");
    expected = answers();
    assertThat(index.resolve("level-0")).isNotEmptyFile();
    assertThat(index.resolve("level-1")).isNotEmptyFile();
  }

  /** What the timeline says of some windows. */
  private List<String> answers() throws Exception {
    List<String> answers = new ArrayList<>();
    SplittableRandom random = new SplittableRandom(5);
    try (Timeline timeline = Timelines.open(path, ProgressListener.NONE, LIMITS)) {
      for (Track track : timeline.tracks()) {
        answers.add(track.toString());
        for (int i = 0; i < 20; i++) {
          long from = random.nextLong(timeline.duration());
          long to = from + (1L << random.nextInt(33));
          timeline.slices(
              track.id(),
              from,
              to,
              (to - from) >> random.nextInt(12),
              (depth, method, begin, end, calls, flags) ->
                  answers.add(depth + " " + method + " " + begin + " " + end + " " + calls));
        }
      }
      answers.addAll(timeline.oddities());
      answers.add(Arrays.toString(timeline.overview().events()));
    }
    return answers;
  }

  private FileTime made() throws IOException {
    return Files.getLastModifiedTime(index.resolve("contents"));
  }

  /** So that an index that is made again differs in its time. */
  private void age() throws IOException {
    Files.setLastModifiedTime(index.resolve("contents"), FileTime.fromMillis(1));
  }

  @Test
  void isMadeOnceAndThenUsed() throws Exception {
    age();
    assertThat(answers()).isEqualTo(expected);
    assertThat(made().toMillis()).isEqualTo(1);
  }

  /**
   * How fast the clock is, is known better at a recording's end, when its index may be half made.
   */
  @Test
  void countsWithTheClockThatItWasMadeWith() throws Exception {
    Path metadata = path.resolve("metadata");
    String before = Files.readString(metadata);
    String after = before.replaceFirst("freq = \\d+", "freq = 2345678901");
    assertThat(after).isNotEqualTo(before);
    Files.writeString(metadata, after);
    age();
    assertThat(answers()).isEqualTo(expected);
    assertThat(made().toMillis()).isEqualTo(1);
  }

  @Test
  void canBeDeleted() throws Exception {
    try (Stream<Path> files = Files.list(index)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    Files.delete(index);
    assertThat(answers()).isEqualTo(expected);
    assertThat(index.resolve("contents")).exists();
  }

  @Test
  void isMadeAnewWhenItsContentsAreDamaged() throws Exception {
    byte[] whole = Files.readAllBytes(index.resolve("contents"));
    SplittableRandom random = new SplittableRandom(7);
    for (int i = 0; i < 30; i++) {
      byte[] damaged = whole.clone();
      if (i % 3 == 0) {
        damaged = Arrays.copyOf(whole, random.nextInt(whole.length));
      } else {
        damaged[random.nextInt(whole.length)] ^= (byte) (1 << random.nextInt(8));
      }
      Files.write(index.resolve("contents"), damaged);
      age();
      assertThat(answers()).as("case %d", i).isEqualTo(expected);
      assertThat(made().toMillis()).as("case %d", i).isGreaterThan(1);
    }
  }

  @Test
  void isMadeAnewWhenTheRecordingHasChanged() throws Exception {
    age();
    Path stream;
    try (Stream<Path> files = Files.list(path)) {
      stream = files.filter(f -> f.toString().contains("ring")).findFirst().orElseThrow();
    }
    Files.setLastModifiedTime(stream, FileTime.fromMillis(12345));
    assertThat(answers()).isEqualTo(expected);
    assertThat(made().toMillis()).isGreaterThan(1);
  }

  @Test
  void isMadeAnewWhenAFileIsMissing() throws Exception {
    for (String file : List.of("states", "level-0", "contents")) {
      Files.delete(index.resolve(file));
      assertThat(answers()).as(file).isEqualTo(expected);
      assertThat(index.resolve(file)).isRegularFile();
    }
  }

  @Test
  void damagedSlicesAreSaidNotShown() throws Exception {
    byte[] whole = Files.readAllBytes(index.resolve("level-0"));
    whole[whole.length / 2] ^= 1;
    Files.write(index.resolve("level-0"), whole);
    try (Timeline timeline = Timelines.open(path, ProgressListener.NONE, LIMITS)) {
      SliceSink all = (depth, method, begin, end, calls, flags) -> {};
      assertThatThrownBy(() ->
              timeline
                  .tracks()
                  .forEach(t -> timeline.slices(t.id(), 0, timeline.duration(), 1024, all)))
          .hasMessageStartingWith(
              "the recording's index is damaged, delete its directory .index: checksum:"
                  + " file=level-0 offset=");
    }
  }

  @Test
  void isMadeElsewhereWhileSomebodyElseMakesIt() throws Exception {
    Files.delete(index.resolve("contents"));
    try (Recording recording = Recording.open(path);
        IndexStore other = IndexStore.create(recording)) {
      assertThat(other).isNotNull();
      assertThat(answers()).isEqualTo(expected);
      assertThat(index.resolve("contents")).doesNotExist();
    }
    assertThat(answers()).isEqualTo(expected);
    assertThat(index.resolve("contents")).exists();
  }

  @Test
  void staysUsableWhenItIsDeletedWhileInUse() throws Exception {
    try (Timeline timeline = Timelines.open(path, ProgressListener.NONE, LIMITS)) {
      for (String file : List.of("states", "level-0", "level-1", "contents")) {
        Files.delete(index.resolve(file));
      }
      List<Long> begins = new ArrayList<>();
      timeline.slices(0, 0, timeline.duration(), 0, (d, m, b, e, c, f) -> begins.add(b));
      assertThat((long) begins.size()).isEqualTo(timeline.tracks().getFirst().calls());
    }
  }

  @Test
  void isMadeElsewhereWhenTheRecordingCannotBeWritten() throws Exception {
    try (Stream<Path> files = Files.list(index)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    Files.delete(index);
    Files.createFile(index); // for root, rights are no obstacle: a file in the way is one
    assertThat(answers()).isEqualTo(expected);
    try (FileChannel file = FileChannel.open(index, StandardOpenOption.READ)) {
      assertThat(file.size()).isZero();
    }
  }

  @Test
  void isMadeAnewWhenItsContentsAreTooShortForAnything() throws Exception {
    for (int size = 0; size < 16; size++) {
      Files.write(index.resolve("contents"), new byte[size]);
      assertThat(answers()).as("size %d", size).isEqualTo(expected);
      assertThat(Files.size(index.resolve("contents"))).as("size %d", size).isGreaterThan(16);
    }
  }

  /** Whoever made the recording may have put the link there. */
  @Test
  void isNotMadeThroughALink() throws Exception {
    Path elsewhere = Files.createDirectory(directory.resolve("documents"));
    for (String name : List.of("letter", "contents", "level-0", "states", "lock")) {
      Files.writeString(elsewhere.resolve(name), "precious");
    }
    moveAway(index);
    Files.createSymbolicLink(index, elsewhere);
    assertThat(answers()).isEqualTo(expected);
    assertThatThrownBy(() -> Timelines.index(path, ProgressListener.NONE))
        .hasMessageContaining("reason=\".index is a link, which is not followed\"");
    assertPrecious(elsewhere, 5);
  }

  @Test
  void itsFilesAreNeitherReadNorWrittenThroughLinks() throws Exception {
    Path elsewhere = Files.createDirectory(directory.resolve("documents"));
    for (String name :
        List.of("contents", "contents.new", "level-0", "level-1", "states", "lock")) {
      Files.writeString(elsewhere.resolve(name), "precious");
      Files.deleteIfExists(index.resolve(name));
      Files.createSymbolicLink(index.resolve(name), elsewhere.resolve(name));
    }
    assertThat(answers()).isEqualTo(expected);
    assertPrecious(elsewhere, 6);
    Files.delete(index.resolve("lock"));
    assertThat(answers()).isEqualTo(expected);
    assertPrecious(elsewhere, 6);
    assertThat(Files.isRegularFile(index.resolve("contents"), LinkOption.NOFOLLOW_LINKS)).isTrue();
  }

  /** A second name of a file is no link that could be told from the file. */
  @Test
  void doesNotWriteIntoFilesThatHaveAnotherName() throws Exception {
    Path precious = Files.writeString(directory.resolve("precious"), "precious");
    for (String name : List.of("contents", "contents.new", "level-0", "states", "lock")) {
      Files.deleteIfExists(index.resolve(name));
      Files.createLink(index.resolve(name), precious);
    }
    assertThat(answers()).isEqualTo(expected);
    assertThat(precious).hasContent("precious");
  }

  @Test
  void leavesAloneWhatIsNotItsOwn() throws Exception {
    Files.writeString(index.resolve("letter"), "precious");
    Files.delete(index.resolve("contents"));
    assertThat(answers()).isEqualTo(expected);
    assertThat(index.resolve("letter")).hasContent("precious");
  }

  @Test
  @Timeout(value = 10, unit = TimeUnit.MINUTES) // a pipe that is opened is waited for
  void doesNotWaitForPipes() throws Exception {
    for (String name : List.of("contents", "level-0", "states", "lock")) {
      Files.delete(index.resolve(name));
      Process made = new ProcessBuilder("mkfifo", index.resolve(name).toString()).start();
      assertThat(made.waitFor()).isZero();
      assertThat(answers()).as(name).isEqualTo(expected);
    }
    Files.delete(index.resolve("contents"));
    assertThatThrownBy(() -> Timelines.index(path, ProgressListener.NONE))
        .hasMessageContaining("is a pipe or a device, not opened");
  }

  /** Nobody but the user can have put links where nobody but the user writes. */
  @Test
  void isMadeOnlyInTheUsersOwnDirectory() throws Exception {
    assumeTrue("root".equals(System.getProperty("user.name")), "only root can give files away");
    Files.delete(index.resolve("contents"));
    UserPrincipal other =
        path.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("nobody");
    Files.setOwner(index, other);
    assertThat(answers()).isEqualTo(expected);
    assertThat(index.resolve("contents")).doesNotExist();
    assertThatThrownBy(() -> Timelines.index(path, ProgressListener.NONE))
        .hasMessageContaining(
            "the index cannot be kept in the recording: path="
                + path
                + " reason=\".index belongs to another user\"");
    moveAway(index);
    Files.setOwner(path, other);
    assertThat(answers()).isEqualTo(expected);
    assertThat(index).doesNotExist();
  }

  private void moveAway(Path what) throws IOException {
    Files.move(what, directory.resolve("away"));
  }

  private static void assertPrecious(Path folder, int files) throws IOException {
    try (Stream<Path> all = Files.list(folder)) {
      List<Path> there = all.toList();
      assertThat(there).hasSize(files);
      assertThat(there).allSatisfy(file -> assertThat(file).hasContent("precious"));
    }
  }
}
