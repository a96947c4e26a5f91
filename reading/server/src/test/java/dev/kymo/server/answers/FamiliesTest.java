package dev.kymo.server.answers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.model.calls.ProgressListener;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.model.timeline.Timelines;
import dev.kymo.server.KnownRecordings;
import dev.kymo.server.OwnProgram;
import dev.kymo.server.http.Answers;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FamiliesTest {
  @Test
  void arePackagesInTheOrderOfTheirMethods() throws IOException {
    assertThat(of(KnownRecordings.shop()))
        .isEqualTo(
            """
            {"of":"package","names":["com.example.shop","com.example.stock","org.base",\
            "evil.<img src=x onerror=\\"document","org.clock"],"others":[]}\
            """);
  }

  @Test
  void areMethodsIfThereIsButOneClass() throws IOException {
    assertThat(of(KnownRecordings.crowd()))
        .isEqualTo("{\"of\":\"method\",\"names\":[\"run\"],\"others\":[]}");
  }

  @Test
  void areClassesIfThereIsButOnePackage() throws IOException {
    assertThat(of(KnownRecordings.busy(7))).startsWith("{\"of\":\"class\",\"names\":[\"com.");
  }

  @Test
  void haveSubsystemsWithoutAColour(@TempDir Path folder) throws IOException {
    Path written = OwnProgram.recording().write(folder.resolve("own.kymo"));
    try (Timeline timeline = Timelines.open(written, ProgressListener.NONE)) {
      assertThat(of(timeline)).contains("\"queue\"").contains("\"bus\"").doesNotContain("disk");
    }
  }

  private static String of(Timeline timeline) throws IOException {
    byte[] answer =
        Answers.bytes(json -> {
          json.writeStartObject();
          Families.write(json, timeline);
          json.writeEndObject();
        });
    String text = new String(answer, StandardCharsets.UTF_8);
    return text.substring("{\"families\":".length(), text.length() - 1);
  }
}
