package dev.kymo.importers.jfr;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.format.Redaction;
import dev.kymo.importers.target.Converted;
import dev.kymo.importers.target.ForeignFile;
import dev.kymo.importers.target.Import;
import dev.kymo.model.calls.CallPass;
import dev.kymo.reader.Recording;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Secrets that a Flight Recorder of this JDK has written are left out of the recording. */
class JfrSecretsTest {
  @TempDir static Path directory;

  private static Path file = Path.of("");

  @BeforeAll
  static void record() throws Exception {
    file = directory.resolve("secret.jfr");
    Path output = directory.resolve("program.txt");
    ProcessBuilder program =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:StartFlightRecording=filename=" + file,
                "-Xlog:disable",
                "-Ddb.password=hunter2",
                "-cp",
                Path.of(
                        RecordedProgram.class
                            .getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .toString(),
                RecordedProgram.class.getName(),
                "--api-key",
                "hunter3")
            .redirectErrorStream(true)
            .redirectOutput(output.toFile());
    program.environment().put("MY_TOKEN", "hunter4");
    Process process = program.start();
    assertThat(process.waitFor()).as(Files.readString(output)).isZero();
  }

  /** Everything that has a name or a value in what became of it. */
  private static List<String> told(Redaction redaction) throws Exception {
    Path recording = Files.createTempDirectory(directory, "recording");
    Import into = new Import(recording, (done, all) -> {}).redacted(redaction);
    new JfrFormat().convert(ForeignFile.of(file), into);
    List<String> all = new ArrayList<>(Converted.read(recording).events());
    try (Recording open = Recording.open(recording)) {
      CallPass.open(open).definitions().processes().forEach(p -> all.add(p.command()));
    }
    return all;
  }

  @Test
  void areLeftOut() throws Exception {
    assertThat(told(Redaction.USUAL))
        .anyMatch(each -> each.startsWith("java -XX:") && each.contains("-Ddb.password=*** "))
        .anyMatch(each -> each.contains("jdk.InitialSystemProperty key=db.password value=***"))
        .anyMatch(each -> each.contains("jdk.InitialEnvironmentVariable key=MY_TOKEN value=***"))
        .anyMatch(each -> each.contains("RecordedProgram --api-key ***"))
        .noneMatch(each -> each.contains("hunter"));
  }

  @Test
  void areThereWhenTheyAreAskedFor() throws Exception {
    assertThat(told(Redaction.NONE))
        .anyMatch(each -> each.startsWith("java -XX:") && each.contains("-Ddb.password=hunter2"))
        .anyMatch(each -> each.contains("key=MY_TOKEN value=hunter4"))
        .anyMatch(each -> each.contains("RecordedProgram --api-key hunter3"));
  }
}
