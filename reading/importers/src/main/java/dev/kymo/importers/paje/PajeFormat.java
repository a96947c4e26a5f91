package dev.kymo.importers.paje;

import dev.kymo.importers.paje.lines.PajeReader;
import dev.kymo.importers.target.ForeignFile;
import dev.kymo.importers.target.ForeignFormat;
import dev.kymo.importers.target.Import;
import java.io.IOException;
import java.nio.file.Files;
import java.util.regex.Pattern;

/** Traces of Pajé: text with the definitions of its own events at its begin. */
public final class PajeFormat implements ForeignFormat {
  private static final Pattern HEAD = Pattern.compile("%\\s*+EventDef\\s++Paje.*", Pattern.DOTALL);

  @Override
  public String name() {
    return "paje";
  }

  @Override
  public String title() {
    return "Paje";
  }

  @Override
  public boolean recognises(ForeignFile file) {
    int begin = 0;
    String head = file.headText();
    while (begin < head.length() && "# \t\r\n".indexOf(head.charAt(begin)) >= 0) {
      int end = head.charAt(begin) == '#' ? head.indexOf('\n', begin) : begin;
      begin = end < 0 ? head.length() : end + 1;
    }
    String first = head.substring(begin, Math.min(head.length(), begin + 200));
    return HEAD.matcher(first).matches();
  }

  @Override
  public void convert(ForeignFile file, Import to) throws IOException {
    long all = Files.size(file.path());
    try (PajeImport converted = new PajeImport(file, title(), to)) {
      PajeReader.read(file.path(), done -> to.progress().at(done, all), converted);
      converted.finish();
    }
  }
}
