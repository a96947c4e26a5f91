package dev.kymo.cli.options;

import dev.kymo.analysis.names.Categories;
import dev.kymo.session.UsageException;
import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** The file that groups methods. */
public final class CategoryFile {
  private CategoryFile() {}

  public static Categories read(Path file) throws IOException {
    try {
      return Categories.of(Files.readAllLines(file));
    } catch (NoSuchFileException e) {
      throw new UsageException("no such file of categories: file=" + file);
    } catch (MalformedInputException e) {
      throw new UsageException("file of categories is not text in UTF-8: file=" + file);
    } catch (IllegalArgumentException e) {
      throw new UsageException(
          "file of categories cannot be read: file=" + file + " " + e.getMessage());
    }
  }
}
