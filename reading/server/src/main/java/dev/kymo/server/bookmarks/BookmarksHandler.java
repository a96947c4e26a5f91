package dev.kymo.server.bookmarks;

import com.sun.net.httpserver.HttpExchange;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.server.http.Answers;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** {@code /api/bookmarks}: the one thing that a page may change. */
public final class BookmarksHandler {
  private final @Nullable BookmarkFile file;

  public BookmarksHandler(Timeline timeline) {
    file = timeline.directory().map(BookmarkFile::new).orElse(null);
  }

  public void handle(HttpExchange exchange) throws IOException {
    if (exchange.getRequestMethod().equals("PUT")) {
      put(exchange);
    } else {
      send(exchange, 200, present());
    }
  }

  private BookmarkFile.Content present() {
    BookmarkFile kept = file;
    return kept == null ? new BookmarkFile.Content(Bookmarks.NONE, Optional.empty()) : kept.read();
  }

  private void put(HttpExchange exchange) throws IOException {
    byte[] body = exchange.getRequestBody().readNBytes(BookmarksParser.MAX_BYTES + 1);
    if (body.length > BookmarksParser.MAX_BYTES) {
      Answers.error(exchange, 413, "Too many bookmarks: at most 1 MB can be kept.");
      return;
    }
    Bookmarks wanted = BookmarksParser.parse(body);
    BookmarkFile kept = file;
    if (kept == null) {
      Answers.error(exchange, 403, "This recording has no place to keep bookmarks in.");
      return;
    }
    Bookmarks saved;
    try {
      saved = kept.replace(wanted);
    } catch (BookmarkFile.ChangedException e) {
      send(exchange, 409, present());
      return;
    } catch (IOException e) {
      Answers.error(
          exchange, 403, "The bookmarks cannot be kept in the recording: error=\"" + e + "\".");
      return;
    }
    send(exchange, 200, new BookmarkFile.Content(saved, Optional.empty()));
  }

  private static void send(HttpExchange exchange, int status, BookmarkFile.Content content)
      throws IOException {
    Answers.json(
        exchange,
        status,
        json -> {
          json.writeStartObject();
          content.bookmarks().write(json);
          if (content.damage().isPresent()) {
            json.writeStringField("damaged", content.damage().get());
          }
          json.writeEndObject();
        });
  }
}
