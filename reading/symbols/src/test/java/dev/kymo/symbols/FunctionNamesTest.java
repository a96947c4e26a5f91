package dev.kymo.symbols;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.format.Definition;
import dev.kymo.model.definitions.RecordedDefinitions;
import dev.kymo.model.definitions.TracedMethod;
import dev.kymo.reader.Diagnostics;
import dev.kymo.reader.Recording;
import dev.kymo.testkit.RecordingBuilder;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Recordings of a real program as libkymo would write them. */
class FunctionNamesTest {
  @TempDir Path directory;

  private static RecordingBuilder functions(NativeFiles files, String... symbols) throws Exception {
    RecordingBuilder r = new RecordingBuilder().process(2).method(2, 7, "a.B", "run").at(50);
    r.define(1, new Definition.TracedProcess(1, 100, 1, "program", "native"));
    r.define(1, new Definition.Type(1, "", files.program.toString(), files.buildId()));
    for (int i = 0; i < symbols.length; i++) {
      String at = "+0x" + Long.toHexString(files.address(symbols[i]));
      r.define(1, new Definition.Method(i, 1, 0, 0, symbols[i], at));
    }
    r.define(1, new Definition.Method(90, 1, 0, 0, "0x99999999", "+0x99999999"));
    r.define(1, new Definition.Method(91, 5, 0, 0, "of an unknown file", "+0x1"));
    r.define(1, new Definition.Method(92, 1, 0, 0, "wrong", "+0xwrong"));
    return r;
  }

  private static TracedMethod method(Path recording, int process, int number) throws Exception {
    try (Recording open = Recording.open(recording)) {
      Diagnostics diagnostics = new Diagnostics();
      RecordedDefinitions definitions = RecordedDefinitions.read(open, diagnostics);
      assertThat(diagnostics.kept()).isEmpty();
      return definitions.methods().get(process, number);
    }
  }

  private static void isNamed(Path recording, NativeFiles files) throws Exception {
    boolean lines = DebugFiles.open() != null;
    TracedMethod hidden = method(recording, 1, 0);
    assertThat(hidden.name()).isEqualTo("ns::hidden");
    assertThat(hidden.descriptor()).isEqualTo("(int, char const*)");
    assertThat(hidden.type()).isEmpty();
    assertThat(hidden.loader()).isEqualTo(files.program.toString());
    assertThat(hidden.source()).isEqualTo(lines ? files.source() : "");
    assertThat(hidden.line()).isEqualTo(lines ? 5 : 0);
    assertThat(method(recording, 1, 90).name()).isEqualTo("0x99999999");
    assertThat(method(recording, 1, 90).descriptor()).isEqualTo("+0x99999999");
    assertThat(method(recording, 1, 91).name()).isEqualTo("of an unknown file");
    assertThat(method(recording, 2, 7).name()).isEqualTo("run");
    assertThat(recording.resolve("p2-names")).doesNotExist();
  }

  @Test
  void namesWhatComes() throws Exception {
    NativeFiles files = new NativeFiles(directory);
    Path recording = functions(files, NativeFiles.HIDDEN).write(directory.resolve("r.kymo"));
    try (FunctionNames names = FunctionNames.follow(recording)) {
      names.goOn();
      isNamed(recording, files);
      long size = Files.size(recording.resolve("p1-names"));
      names.goOn();
      assertThat(Files.size(recording.resolve("p1-names"))).isEqualTo(size);
      // What the process defines in the meantime is in a packet after the others.
      RecordingBuilder more = functions(files, NativeFiles.HIDDEN).closeDefinitions(1).at(60);
      String at = "+0x" + Long.toHexString(files.address(NativeFiles.TWICE));
      more.define(1, new Definition.Method(5, 1, 0, 0, NativeFiles.TWICE, at));
      more.write(recording);
      names.goOn();
    }
    isNamed(recording, files);
    assertThat(method(recording, 1, 5).qualifiedName()).isEqualTo("ns::twice<int>");
  }

  @Test
  void namesPlacesWithinFunctions() throws Exception {
    NativeFiles files = new NativeFiles(directory);
    RecordingBuilder r = functions(files, NativeFiles.HIDDEN);
    long address = files.call("c_function");
    String at = "+0x" + Long.toHexString(address);
    r.define(1, new Definition.Method(6, 1, 0, 0, "c_function", at));
    r.define(1, new Definition.CodeLocation(0x5555_0000_0000L + address, 6));
    Path recording = r.write(directory.resolve("r.kymo"));
    FunctionNames.complete(recording);
    isNamed(recording, files);
    String line = DebugFiles.open() == null ? "" : " (program.cc:10)";
    assertThat(method(recording, 1, 6).placeText()).isEqualTo("c_function" + line);
  }

  /** Whatever address in a function was sampled, the frame is the function. */
  @Test
  void namesFunctionsOfSamples() throws Exception {
    NativeFiles files = new NativeFiles(directory);
    RecordingBuilder r = functions(files, NativeFiles.HIDDEN);
    long address = files.call("c_function");
    String at = Long.toHexString(address);
    r.define(1, new Definition.Method(6, 1, 0, 0, "0x" + at, "+0x" + at));
    r.define(1, new Definition.Stack(1, 0, 6));
    r.define(1, new Definition.Method(7, 1, 0, 0, "0x" + at, "+0x" + at));
    Path recording = r.write(directory.resolve("r.kymo"));
    FunctionNames.complete(recording);
    assertThat(method(recording, 1, 6).name()).isEqualTo("c_function");
    assertThat(method(recording, 1, 7).name()).startsWith("c_function+0x");
  }

  @Test
  void namesAnewWhatAKilledRecorderLeft() throws Exception {
    NativeFiles files = new NativeFiles(directory);
    Path recording = functions(files, NativeFiles.HIDDEN).write(directory.resolve("r.kymo"));
    FunctionNames.complete(recording);
    byte[] whole = Files.readAllBytes(recording.resolve("p1-names"));
    Files.write(recording.resolve("p1-names"), java.util.Arrays.copyOf(whole, whole.length - 9));
    FunctionNames.complete(recording);
    isNamed(recording, files);
    assertThat(recording.resolve(".p1-names")).doesNotExist();
  }
}
