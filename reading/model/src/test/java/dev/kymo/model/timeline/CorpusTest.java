package dev.kymo.model.timeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.format.KernelEventFormat;
import dev.kymo.model.calls.CallPass;
import dev.kymo.model.calls.CallSink;
import dev.kymo.model.calls.EventCounts;
import dev.kymo.model.calls.ProgressListener;
import dev.kymo.model.calls.ThreadCalls;
import dev.kymo.model.definitions.SampledStacks;
import dev.kymo.model.definitions.TracedMethod;
import dev.kymo.reader.Diagnostic;
import dev.kymo.reader.KernelMerge;
import dev.kymo.reader.KernelStream;
import dev.kymo.reader.Oddity;
import dev.kymo.reader.Recording;
import dev.kymo.reader.RecordingException;
import dev.kymo.reader.StreamSource;
import dev.kymo.testkit.KernelProgram;
import dev.kymo.testkit.SourceTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every stored recording says what stands beside it in {@code expect}. With {@code
 * -Dkymo.corpus.write=true} the damaged ones are written anew.
 */
class CorpusTest {
  private static final Path CORPUS = SourceTree.path("corpus");

  @TempDir Path directory;

  static List<Path> stored() throws IOException {
    if (Boolean.getBoolean("kymo.corpus.write")) {
      write();
    }
    try (Stream<Path> fail = Files.list(CORPUS.resolve("fail"));
        Stream<Path> succeed = Files.list(CORPUS.resolve("succeed"))) {
      return Stream.concat(fail, succeed).sorted().toList();
    }
  }

  private static void write() throws IOException {
    for (var each : CorpusCases.all().entrySet()) {
      Path home = CORPUS.resolve("fail").resolve(each.getKey());
      each.getValue().accept(Files.createDirectories(home).resolve("recording"));
      Files.writeString(home.resolve("expect"), whatIsSaid(home.resolve("recording")));
    }
    Path good = Files.createDirectories(CORPUS.resolve("succeed").resolve("1.0"));
    if (!Files.exists(good.resolve("recording"))) {
      new RandomRecording(7, 1000).builder.write(good.resolve("recording"));
    }
    Files.writeString(good.resolve("expect"), whatIsSaid(good.resolve("recording")));
    Path counted = Files.createDirectories(CORPUS.resolve("succeed").resolve("1.2"));
    if (!Files.exists(counted.resolve("recording"))) {
      new RandomStates(7, 400).counted().write(counted.resolve("recording"));
    }
    Files.writeString(counted.resolve("expect"), whatIsSaid(counted.resolve("recording")));
    Path kernel = Files.createDirectories(CORPUS.resolve("succeed").resolve("1.3"));
    if (!Files.exists(kernel.resolve("recording"))) {
      CorpusCases.kernelEvents(KernelProgram.recording()).write(kernel.resolve("recording"));
    }
    Files.writeString(kernel.resolve("expect"), whatIsSaid(kernel.resolve("recording")));
    Path own = Files.createDirectories(CORPUS.resolve("succeed").resolve("1.4"));
    if (!Files.exists(own.resolve("recording"))) {
      CorpusCases.ownEvents(new RandomRecording(7, 100).builder).write(own.resolve("recording"));
    }
    Files.writeString(own.resolve("expect"), whatIsSaid(own.resolve("recording")));
    Path named = Files.createDirectories(CORPUS.resolve("succeed").resolve("1.5"));
    if (!Files.exists(named.resolve("recording"))) {
      CorpusCases.functions().write(named.resolve("recording"));
    }
    Files.writeString(named.resolve("expect"), whatIsSaid(named.resolve("recording")));
    Path open = Files.createDirectories(CORPUS.resolve("succeed").resolve("1.6"));
    if (!Files.exists(open.resolve("recording"))) {
      CorpusCases.openStates().write(open.resolve("recording"));
    }
    Files.writeString(open.resolve("expect"), whatIsSaid(open.resolve("recording")));
    Path listed = Files.createDirectories(CORPUS.resolve("succeed").resolve("1.7"));
    if (!Files.exists(listed.resolve("recording"))) {
      new RandomRecording(7, 100).builder.listed().write(listed.resolve("recording"));
    }
    Files.writeString(listed.resolve("expect"), whatIsSaid(listed.resolve("recording")));
    Path sampled = Files.createDirectories(CORPUS.resolve("succeed").resolve("1.10"));
    if (!Files.exists(sampled.resolve("recording"))) {
      CorpusCases.samples().write(sampled.resolve("recording"));
    }
    Files.writeString(sampled.resolve("expect"), whatIsSaid(sampled.resolve("recording")));
  }

  @ParameterizedTest
  @MethodSource("stored")
  void saysWhatIsExpected(Path home) throws IOException {
    assertThat(whatIsSaid(home.resolve("recording")))
        .isEqualTo(Files.readString(home.resolve("expect")));
  }

  @Test
  void everyOddityHasACase() throws IOException {
    String all = "";
    for (Path home : stored()) {
      all += Files.readString(home.resolve("expect"));
    }
    Set<Oddity> missing = EnumSet.allOf(Oddity.class);
    String said = all;
    missing.removeIf(oddity -> said.contains(oddity.what()));
    // Files of a corpus can be read: see aFileThatIsGoneIsSaid.
    assertThat(missing).containsExactly(Oddity.UNREADABLE_FILE);
  }

  @Test
  void aFileThatIsGoneIsSaid() throws IOException {
    new RandomRecording(3, 300).builder.write(directory);
    try (Recording recording = Recording.open(directory)) {
      Files.delete(directory.resolve("p1-ring-1"));
      CallPass pass = CallPass.open(recording);
      assertThat(pass.diagnostics().kept())
          .extracting(Diagnostic::oddity)
          .contains(Oddity.UNREADABLE_FILE);
      assertThat(pass.oddities().getFirst())
          .matches(
              "p1-ring-1: file cannot be read: offset=0 error=\".*p1-ring-1\"; what comes after is"
                  + " missing");
    }
  }

  static String whatIsSaid(Path path) {
    try (Recording recording = Recording.open(path)) {
      CallPass pass = CallPass.open(recording);
      pass.run(CallSink.NONE, thread -> true, ProgressListener.NONE);
      String threads =
          pass.threads().stream()
              .map(t -> facts(t) + counted(pass, t))
              .collect(Collectors.joining("\n"));
      String kernel = kernelEvents(pass);
      String oddities =
          pass.oddities().stream().map(text -> text + "\n").collect(Collectors.joining());
      return "%sdefinitions=%d methods=%d%n%s%s%s%s%n"
          .formatted(
              oddities,
              pass.definitions().count(),
              pass.definitions().methods().size(),
              named(pass),
              stacks(pass),
              kernel,
              threads);
    } catch (RecordingException e) {
      return "RecordingException: %s%n".formatted(e.getMessage());
    }
  }

  /** What recordings before format 1.5 do not have. */
  private static String named(CallPass pass) {
    StringBuilder said = new StringBuilder();
    if (pass.recording().definitionStreams().stream().anyMatch(StreamSource::names)) {
      for (int i = 0; i < pass.definitions().methods().size(); i++) {
        TracedMethod m = pass.definitions().methods().get(i);
        said.append(m.qualifiedName()).append(m.descriptor()).append(' ');
        said.append(m.loader()).append(' ').append(m.source()).append(':').append(m.line());
        said.append("\n");
      }
    }
    pass.definitions()
        .places()
        .forEach((process, address, number) -> {
          String code = pass.definitions().methods().get(number).placeText();
          said.append("place p%d 0x%x %s%n".formatted(process, address, code));
        });
    return said.toString();
  }

  /** What recordings before format 1.10 do not have. */
  private static String stacks(CallPass pass) {
    SampledStacks stacks = pass.definitions().stacks();
    StringBuilder said = new StringBuilder();
    for (int stack = 1; stacks.method(1, stack).isPresent(); stack++) {
      String method = stacks.method(1, stack).orElseThrow().qualifiedName();
      said.append("stack %d %s from %d%n".formatted(stack, method, stacks.caller(1, stack)));
    }
    return said.toString();
  }

  /** What recordings before format 1.3 do not have. */
  private static String kernelEvents(CallPass pass) {
    if (pass.recording().kernelStreams().isEmpty()) {
      return "";
    }
    KernelMerge merge =
        KernelMerge.all(
            pass.recording(), pass.definitions().kernelEvents().values(), pass.diagnostics());
    StringBuilder said = new StringBuilder();
    for (KernelStream event = merge.until(Long.MAX_VALUE);
        event != null;
        event = merge.until(Long.MAX_VALUE)) {
      said.append(
          "%d CPU %d %d %s".formatted(event.clock(), event.cpu(), event.tid(), event.format()));
      for (KernelEventFormat.Field field : event.format().fields()) {
        said.append(' ').append(field.name()).append('=').append(event.text(field));
      }
      said.append("\n");
    }
    return said.append("kernel events lost=%d%n".formatted(merge.lost())).toString();
  }

  /** What recordings before format 1.2 do not have. */
  private static String counted(CallPass pass, ThreadCalls t) {
    long calls = pass.counts().calls(t.index());
    long details = t.counts().details();
    long own = t.counts().own();
    return (details == 0 ? "" : " details=" + details)
        + (own == 0 ? "" : " own=" + own)
        + (calls == 0 ? "" : " counted=" + calls);
  }

  private static String facts(ThreadCalls t) {
    EventCounts c = t.counts();
    return ("%s: events=%d calls=%d unmatched_leaves=%d missing_leaves=%d open=%d gaps=%d lost=%d"
            + " first=%d last=%d")
        .formatted(
            t.definition().name(),
            c.events(),
            c.calls(),
            c.unmatchedLeaves(),
            c.missingLeaves(),
            c.openCalls(),
            t.gaps().count(),
            t.gaps().lost(),
            t.first(),
            t.last());
  }
}
