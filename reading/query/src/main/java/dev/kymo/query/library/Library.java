package dev.kymo.query.library;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/** All ready questions; each is a file beside this class. */
public final class Library {
  private static final List<String> NAMES =
      List.of(
          "costs",
          "percentiles",
          "slowest",
          "rate",
          "states",
          "allocation",
          "waits",
          "convoys",
          "idle",
          "path-of-slowest",
          "path-between",
          "talkers",
          "losses");

  private static final class All {
    static final List<ReadyQuestion> QUESTIONS = NAMES.stream().map(Library::read).toList();
  }

  private Library() {}

  /** All, in the order in which they are shown. */
  public static List<ReadyQuestion> all() {
    return All.QUESTIONS;
  }

  /** The one of this name. */
  public static Optional<ReadyQuestion> find(String name) {
    return all().stream().filter(question -> question.name().equals(name)).findFirst();
  }

  private static ReadyQuestion read(String name) {
    try (InputStream in = Library.class.getResourceAsStream(name + ".sql")) {
      if (in == null) {
        throw new IllegalStateException("the installation is incomplete: missing=" + name + ".sql");
      }
      return ReadyQuestion.parse(name, new String(in.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
