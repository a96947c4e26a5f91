package dev.kymo.server.difference;

import dev.kymo.analysis.difference.Difference;
import dev.kymo.analysis.difference.Side;
import dev.kymo.analysis.selection.Progress;
import dev.kymo.analysis.selection.UnanswerableException;
import dev.kymo.model.calls.CallPass;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.reader.Recording;
import dev.kymo.server.http.Answers;
import dev.kymo.server.http.Jobs;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;

/** {@code /api/differences}: how one of the recordings that are shown differs from another. */
public final class DifferencesAnswer {
  private final Timeline base;
  private final Timeline fresh;
  private final List<String> names;

  private DifferencesAnswer(Timeline base, Timeline fresh, List<String> names) {
    this.base = base;
    this.fresh = fresh;
    this.names = names;
  }

  /**
   * Of two recordings.
   *
   * @param names what they are called, that of the base first
   * @throws UnanswerableException if one of them is not on disk
   */
  public static Jobs.Work of(Timeline base, Timeline fresh, List<String> names) {
    DifferencesAnswer answer = new DifferencesAnswer(base, fresh, names);
    Path before = directory(base);
    Path after = directory(fresh);
    return progress -> answer.read(before, after, progress);
  }

  private static Path directory(Timeline timeline) {
    return timeline
        .directory()
        .orElseThrow(() -> new UnanswerableException("Only recordings on disk can be compared."));
  }

  private Answers.Body read(Path before, Path after, Progress progress) {
    try (Recording old = Recording.open(before);
        Recording now = Recording.open(after)) {
      Difference difference =
          Difference.of(
              List.of(CallPass.open(old)), List.of(CallPass.open(now)), progress.listener());
      return body(difference);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Answers.Body body(Difference difference) {
    List<Places> places =
        List.of(new Places(difference, base, Side.BASE), new Places(difference, fresh, Side.NEW));
    DifferenceJson fields =
        new DifferenceJson(
            difference,
            names.subList(0, 1),
            names.subList(1, 2),
            (json, node) -> {
              json.writeArrayFieldStart("at");
              for (Places side : places) {
                side.write(json, node);
              }
              json.writeEndArray();
            });
    return json -> {
      json.writeStartObject();
      fields.writeAll(json);
      json.writeEndObject();
    };
  }
}
