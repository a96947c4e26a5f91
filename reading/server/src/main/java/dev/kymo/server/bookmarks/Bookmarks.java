package dev.kymo.server.bookmarks;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.kymo.server.http.Answers;
import java.io.IOException;
import java.util.List;
import java.util.OptionalInt;

/**
 * Notes of people about a recording.
 *
 * @param version goes up with every change, so that none is lost to one made at the same time
 */
record Bookmarks(long version, List<Bookmark> bookmarks) {
  static final Bookmarks NONE = new Bookmarks(0, List.of());

  /**
   * A note.
   *
   * @param id made up by the page
   * @param from nanoseconds since the recording's begin
   * @param to the same for a moment
   * @param track number, if it is about one
   */
  record Bookmark(String id, long from, long to, OptionalInt track, String text, int colour) {}

  Bookmarks next() {
    return new Bookmarks(version + 1, bookmarks);
  }

  void write(JsonGenerator json) throws IOException {
    json.writeNumberField("version", version);
    json.writeArrayFieldStart("bookmarks");
    for (Bookmark bookmark : bookmarks) {
      json.writeStartObject();
      json.writeStringField("id", bookmark.id);
      Answers.time(json, "from", bookmark.from);
      Answers.time(json, "to", bookmark.to);
      if (bookmark.track.isPresent()) {
        json.writeNumberField("track", bookmark.track.getAsInt());
      }
      json.writeStringField("text", bookmark.text);
      json.writeNumberField("colour", bookmark.colour);
      json.writeEndObject();
    }
    json.writeEndArray();
  }
}
