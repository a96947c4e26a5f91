package dev.kymo.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.model.calls.ProgressListener;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.model.timeline.Timelines;
import dev.kymo.testkit.RecordingBuilder;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Path;

/** A recording, its server, and somebody who asks it. */
final class Served implements AutoCloseable {
  private final Timeline timeline;
  private final KymoServer server;
  private final Asker asker;

  private Served(Timeline timeline) throws IOException {
    this.timeline = timeline;
    this.server = KymoServer.start(timeline, 0);
    this.asker = new Asker(server.uri());
  }

  /** Writes a recording and serves it. */
  static Served of(RecordingBuilder recording, Path to) throws IOException {
    return new Served(Timelines.open(recording.write(to), ProgressListener.NONE));
  }

  Timeline timeline() {
    return timeline;
  }

  URI uri() {
    return server.uri();
  }

  Asker asker() {
    return asker;
  }

  /** The answer to a question that is in order. */
  String get(String question) throws IOException, InterruptedException {
    HttpResponse<String> answer = asker.ask("/api/" + question);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return answer.body();
  }

  @Override
  public void close() {
    asker.close();
    server.close();
    timeline.close();
  }
}
