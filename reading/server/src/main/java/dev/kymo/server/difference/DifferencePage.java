package dev.kymo.server.difference;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.kymo.viewer.ViewerFiles;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** A page that shows differences, with everything it needs in one file. */
public final class DifferencePage {
  private static final String PLACE = "<!--differences-->";

  private DifferencePage() {}

  /** Writes the fields of an object that has begun. */
  @FunctionalInterface
  public interface MoreFields {
    /** Writes them. */
    void write(JsonGenerator json) throws IOException;
  }

  /**
   * Writes the page.
   *
   * @param more fields that are not of the differences themselves: {@code gate}
   * @throws IOException if it cannot be written, or this build of Kymo has no viewer
   */
  public static void write(DifferenceJson differences, MoreFields more, Path to)
      throws IOException {
    StringWriter data = new StringWriter();
    try (JsonGenerator json = new JsonFactory().createGenerator(data)) {
      json.writeStartObject();
      differences.writeAll(json);
      more.write(json);
      json.writeEndObject();
    }
    String template =
        new String(
            ViewerFiles.read("difference-page.html")
                .orElseThrow(() ->
                    new IOException(
                        "this build of Kymo was made without its viewer; build it without"
                            + " -Dviewer.skip")),
            StandardCharsets.UTF_8);
    // Names come from recorded programs: no character of them may end the element.
    String harmless = data.toString().replace("<", "\\u003c").replace("&", "\\u0026");
    Files.writeString(to, template.replace(PLACE, harmless), StandardCharsets.UTF_8);
  }
}
