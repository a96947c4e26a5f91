package dev.kymo.server.bookmarks;

import dev.kymo.server.http.Answers;
import dev.kymo.server.http.BadRequestException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/**
 * Bookmarks as they are kept inside a recording. Every change replaces the whole file at once, so
 * that it is always complete. What cannot be read is moved away and not overwritten: somebody may
 * want to repair it. A recording may come from anybody: a link or device is neither read nor
 * written through.
 */
final class BookmarkFile {
  static final String NAME = ".bookmarks.json";

  private final Path path;

  BookmarkFile(Path recording) {
    path = recording.resolve(NAME);
  }

  /**
   * The file's content.
   *
   * @param damage why nothing could be read from it, if there is something
   */
  record Content(Bookmarks bookmarks, Optional<String> damage) {}

  /** Someone else has changed the bookmarks in the meantime. */
  static final class ChangedException extends Exception {
    private static final long serialVersionUID = 1;
  }

  Content read() {
    if (Files.exists(path, LinkOption.NOFOLLOW_LINKS)
        && !Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
      return damaged("it is a link, a pipe or a device, which is not opened");
    }
    try (InputStream in = Files.newInputStream(path, LinkOption.NOFOLLOW_LINKS)) {
      byte[] bytes = in.readNBytes(2 * BookmarksParser.MAX_BYTES + 1);
      if (bytes.length > 2 * BookmarksParser.MAX_BYTES) {
        return damaged("too large");
      }
      return new Content(BookmarksParser.parse(bytes), Optional.empty());
    } catch (NoSuchFileException e) {
      return new Content(Bookmarks.NONE, Optional.empty());
    } catch (BadRequestException e) {
      return damaged(e.getMessage());
    } catch (IOException e) {
      return damaged(e.toString());
    }
  }

  private Content damaged(String why) {
    String sentence =
        "The bookmarks cannot be read: file="
            + path
            + " error=\""
            + why
            + "\"; the file is kept as "
            + NAME
            + ".damaged when new ones are saved.";
    return new Content(Bookmarks.NONE, Optional.of(sentence));
  }

  /**
   * Replaces the bookmarks.
   *
   * @param wanted with the version they were made from
   * @return as they are kept now
   * @throws ChangedException if another version is there
   * @throws IOException if the recording cannot be written to
   */
  synchronized Bookmarks replace(Bookmarks wanted) throws ChangedException, IOException {
    Content old = read();
    if (old.bookmarks.version() != wanted.version()) {
      throw new ChangedException();
    }
    Bookmarks next = wanted.next();
    Path temporary = Files.createTempFile(path.getParent(), NAME, ".tmp");
    try {
      byte[] document =
          Answers.bytes(json -> {
            json.writeStartObject();
            next.write(json);
            json.writeEndObject();
          });
      Files.write(temporary, document, StandardOpenOption.SYNC);
      if (old.damage.isPresent()) {
        moveAway();
      }
      Files.move(temporary, path, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(temporary);
    }
    return next;
  }

  private void moveAway() throws IOException {
    Path away = path.resolveSibling(NAME + ".damaged");
    for (int i = 2; Files.exists(away, LinkOption.NOFOLLOW_LINKS); i++) {
      away = path.resolveSibling(NAME + ".damaged-" + i);
    }
    Files.move(path, away);
  }
}
