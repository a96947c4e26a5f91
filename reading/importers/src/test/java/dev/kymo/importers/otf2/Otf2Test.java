package dev.kymo.importers.otf2;

import static dev.kymo.importers.otf2.Records.u8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kymo.importers.ForeignFormats;
import dev.kymo.importers.mutants.Mutants;
import dev.kymo.importers.target.Converted;
import dev.kymo.importers.target.ExchangeSamples;
import dev.kymo.importers.target.ExchangeSamples.Expected;
import dev.kymo.importers.target.ForeignException;
import dev.kymo.importers.target.ForeignFile;
import dev.kymo.importers.target.Import;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is in an archive of OTF2 is in the recording. */
class Otf2Test {
  @TempDir Path folder;

  private int recordings;

  static List<Expected> samples() throws IOException {
    return ExchangeSamples.of("otf2/");
  }

  private Converted convert(Path file) throws IOException {
    ForeignFile foreign = ForeignFile.of(file);
    assertThat(ForeignFormats.of(foreign)).get().isInstanceOf(Otf2Format.class);
    Path recording = Files.createDirectory(folder.resolve("out" + recordings++ + ".kymo"));
    new Otf2Format().convert(foreign, new Import(recording, (done, all) -> {}));
    return Converted.read(recording);
  }

  private static MadeArchive made() {
    return new MadeArchive(ByteOrder.LITTLE_ENDIAN);
  }

  @ParameterizedTest(allowZeroInvocations = true)
  @MethodSource("samples")
  void isWhatIsExpected(Expected expected) throws Exception {
    ExchangeSamples.assume();
    Path sample = ExchangeSamples.unpacked(expected.path(), folder);
    Converted read = convert(sample);
    assertThat(read.oddities()).isEmpty();
    assertThat(read.notices())
        .contains(
            "imported from OTF2: file=%s events=%d"
                .formatted(sample.getFileName(), expected.events()));
    if (expected.path().endsWith("ping-pong-otf2")) {
      assertThat(read.notices())
          .contains(
              "imported as calls: 42 (ENTER 42)",
              "imported as ends of calls: 42 (LEAVE 42)",
              "imported as messages: 32 (MPI_SEND 16, MPI_RECV 16)",
              "imported as events of their own: 4 (PROGRAM_BEGIN 2, PROGRAM_END 2)");
      assertThat(read.messages()).isEqualTo(16);
      // Ticks of 2095197216 Hz: 7397466976977800 is the first, 7397467395188508 the last.
      assertThat(read.events())
          .anyMatch(event -> event.startsWith("Master thread: 0 program.begin program=/g/g92/"))
          .anyMatch(event -> event.startsWith("Master thread: 199604459 program.end "));
      assertThat(read.calls()).hasSize(42);
      assertThat(convert(sample.resolve("traces.otf2")).calls()).isEqualTo(read.calls());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"LITTLE_ENDIAN", "BIG_ENDIAN"})
  void callsMessagesAndCounters(String order) throws Exception {
    boolean little = order.startsWith("L");
    MadeArchive archive = new MadeArchive(little ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN);
    archive
        .events(0)
        .at(1_000)
        .add(12, 0)
        .at(1_100)
        .add(12, 1)
        .add(14, 1, 0, 70_000, 4096L)
        .at(1_200)
        .add(13, 1)
        .add(31, 0, u8(2), u8(4), 12L, u8(10), Double.doubleToRawLongBits(2.5))
        .at(1_300)
        .add(13, 0);
    archive
        .events(1)
        .at(1_050)
        .add(10, new Records.Whole(1_060))
        .at(1_070)
        .add(66, 1, 2)
        .add(67, 1);
    archive
        .events(2)
        .at(1_150)
        .add(19, 0, 0, 70_000, 4096L, 77L)
        .add(31, 1, u8(1), u8(8), -3L)
        .at(1_160)
        .add(68, 1, 1, 0)
        .add(33, 0, -12L);
    Converted read = convert(archive.write(folder));
    assertThat(read.oddities()).isEmpty();
    assertThat(read.tracks()).containsExactly("thread 0", "thread 1", "thread 2");
    assertThat(read.calls())
        .containsExactlyInAnyOrder(
            "thread 0: main() 0-300",
            "thread 0: MPI_Send 100-200",
            "thread 1: buffer.flush 50-60",
            "thread 1: MPI_Send 70-70");
    assertThat(read.messages()).isEqualTo(1);
    assertThat(read.events().stream().map(event -> event.replaceAll("key=\\d+", "key=K")))
        .contains(
            "thread 0: 100 mpi.send key=K receiver=1 communicator=WORLD tag=70000 length=4096",
            "thread 2: 150 mpi.irecv key=K sender=0 communicator=WORLD tag=70000 length=4096 request=77",
            "thread 0: 200 metric.loads [10^3 ops] value=12",
            "thread 0: 200 metric.power [W] value=2.5",
            "thread 2: 150 metric.depth of rank 1 value=-3",
            "thread 2: 160 sample.clock stack=MPI_Send unwind_distance=1",
            "thread 2: 160 parameter.int64 parameter=size value=-12");
    assertThat(read.notices())
        .contains(
            "imported from OTF2: file=made.otf2 events=13",
            "imported as calls: 3 (ENTER 2, CALLING_CONTEXT_ENTER 1)",
            "imported as samples with their stacks: 1 (CALLING_CONTEXT_SAMPLE 1)",
            "imported as counters: 2 (METRIC 2)",
            "locations by machine: cluster/node7 3");
  }

  @Test
  void eachKindIsKept() throws Exception {
    MadeArchive archive = made();
    AllKinds all = new AllKinds(archive);
    int count = all.write(archive.events(0));
    archive.events(0).add(200, u8(1), u8(2), u8(3));
    Converted read = convert(archive.write(folder));
    assertThat(read.oddities()).isEmpty();
    assertThat(read.notices())
        .contains("imported from OTF2: file=made.otf2 events=" + (count + 1))
        .noneMatch(notice -> notice.contains("out of order") || notice.contains("not defined"));
    all.numbers.forEach((kind, numbers) -> {
      for (long number : numbers) {
        if (!kind.equals("CALLING_CONTEXT_ENTER")) { // its distance is not kept
          assertThat(read.events()).as(kind).anyMatch(e -> e.matches(".*[= ]" + number + "\\b.*"));
        }
      }
    });
    assertThat(read.events()).anyMatch(event -> event.contains("otf2.type 200 bytes="));
  }

  @Test
  void attributesAreFields() throws Exception {
    MadeArchive archive = made();
    Records events = archive.events(0);
    AllKinds.attributes(archive, events.at(1_000));
    events.add(12, 0).at(1_010).add(13, 0).at(1_020);
    archive.define(11, 30, archive.string("ProcessId"), u8(4), archive.string(""));
    events.add(6, 1, 30, u8(4), 4711L).add(84, 3L);
    Converted read = convert(archive.write(folder));
    assertThat(read.calls()).containsExactly("thread 0: main() 0-10");
    assertThat(read.events())
        .hasSize(2)
        .anySatisfy(event ->
            assertThat(event)
                .startsWith(
                    "thread 0: 0 enter.main() attribute_1=7 attribute_2=1799 attribute_3=1000")
                .contains("attribute_10=2.5", "attribute_13=thread 0", "attribute_17=WORLD")
                .contains("attribute_20=a.c:14", "attribute_24=fd 3", "attribute_25=rank 0"))
        .contains("thread 0: 20 program.end exit_status=3 ProcessId=4711");
  }

  @Test
  void numbersAndClocksOfLocations() throws Exception {
    MadeArchive archive = made();
    archive.local(0).add(5, u8(3), 2L, u8(1), 9L, 0L, 8L, 1L); // region 9 is 0, and 8 is 1
    archive.local(1).add(5, u8(3), 2L, u8(0), 1L, 0L); // region 0 is 1, and 1 is 0
    archive.local(1).add(6, new Records.Whole(1_000), 100L, new Records.Whole(0));
    archive.local(1).add(6, new Records.Whole(2_000), 200L, new Records.Whole(0));
    archive.events(0).at(1_000).add(12, 9).at(1_001).add(12, 8).add(13, 8).at(1_500).add(13, 9);
    archive.events(1).at(1_000).add(12, 0).at(1_500).add(13, 0).at(3_000).add(12, 1).add(13, 1);
    assertThat(convert(archive.write(folder)).calls())
        .containsExactlyInAnyOrder(
            "thread 0: main() 0-500",
            "thread 0: MPI_Send 1-1",
            "thread 1: MPI_Send 100-650",
            "thread 1: main() 2300-2300");
  }

  @Test
  void manyChunks() throws Exception {
    MadeArchive archive = made();
    int calls = 60_000;
    for (int i = 0; i < calls; i++) {
      archive.events(i % 2).at(1_000 + 2L * i).add(12, 1).at(1_001 + 2L * i).add(13, 1);
    }
    List<String> expected =
        IntStream.range(0, calls)
            .mapToObj(i -> "thread %d: MPI_Send %d-%d".formatted(i % 2, 2 * i, 2 * i + 1))
            .toList();
    Path anchor = archive.write(folder);
    assertThat(Files.size(folder.resolve("made/0.evt"))).isGreaterThan(2 * 256 * 1024);
    // Sorted, because to look for each among all would take twenty seconds.
    assertThat(convert(anchor).calls().stream().sorted().toList())
        .isEqualTo(expected.stream().sorted().toList());
  }

  @Test
  void wallTime() throws Exception {
    MadeArchive archive = made();
    archive.events(0).at(MadeArchive.OFFSET).add(12, 0).at(MadeArchive.OFFSET + 5).add(13, 0);
    Path recording = Files.createDirectory(folder.resolve("wall.kymo"));
    ForeignFile file = ForeignFile.of(archive.write(folder));
    new Otf2Format().convert(file, new Import(recording, (done, all) -> {}));
    assertThat(
            Files.readString(
                recording.resolve("metadata"), java.nio.charset.StandardCharsets.ISO_8859_1))
        .contains("offset_s = 1699999999")
        .contains("offset = 999999000");
  }

  @Test
  void damagedArchivesAreRefused() throws Exception {
    MadeArchive archive = made();
    archive.events(0).at(1_000).add(12, 0).at(1_100).add(13, 0);
    Path anchor = archive.write(folder);
    Path events = folder.resolve("made/0.evt");
    byte[] whole = Files.readAllBytes(events);
    Files.write(events, java.util.Arrays.copyOf(whole, whole.length - 1));
    assertThatThrownBy(() -> convert(anchor))
        .isInstanceOf(ForeignException.class)
        .hasMessage(
            "file ends within a record: file=%s offset=%d bytes=0"
                .formatted(events, whole.length - 1));
    Files.delete(events);
    assertThatThrownBy(() -> convert(anchor))
        .isInstanceOf(ForeignException.class)
        .hasMessage("file of the archive is missing: file=%s offset=0".formatted(events));
  }

  @Tag("formats")
  @Test
  void mutantsAreImportedOrRefused() throws Exception {
    MadeArchive archive = made();
    new AllKinds(archive).write(archive.events(0));
    AllKinds.attributes(archive, archive.events(1).at(1_000));
    archive.events(1).add(12, 0).at(1_010).add(13, 0);
    archive.local(1).add(5, u8(3), 2L, u8(1), 9L, 0L, 8L, 1L);
    archive.local(1).add(6, new Records.Whole(1_000), 100L, new Records.Whole(0));
    archive.local(1).add(6, new Records.Whole(2_000), 200L, new Records.Whole(0));
    archive.write(folder);
    String[] names;
    try (Stream<Path> all = Files.walk(folder)) {
      names =
          all.filter(Files::isRegularFile)
              .map(file -> folder.relativize(file).toString())
              .sorted()
              .toArray(String[]::new);
    }
    assertThat(Mutants.importMany(new Otf2Format(), folder, names)).isBetween(1, Mutants.MANY - 1);
  }
}
