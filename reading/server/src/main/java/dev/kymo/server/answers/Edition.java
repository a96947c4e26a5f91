package dev.kymo.server.answers;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Of a recording in whose place another one may be served: which one this is. */
public final class Edition {
  private final int number;
  private volatile String news = "";

  /**
   * Without news.
   *
   * @param number from 1 on
   */
  public Edition(int number) {
    this.number = number;
  }

  public int number() {
    return number;
  }

  /** What readers should know of the next one, a sentence; empty = nothing. */
  public void say(String sentence) {
    news = sentence;
  }

  /** Writes which one it is, if there may be others. */
  static void write(JsonGenerator json, @Nullable Edition edition) throws IOException {
    if (edition != null) {
      json.writeNumberField("edition", edition.number);
      json.writeStringField("news", edition.news);
    }
  }
}
