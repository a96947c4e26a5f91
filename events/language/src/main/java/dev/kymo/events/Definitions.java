package dev.kymo.events;

import dev.kymo.events.parse.DefinitionReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * All that a definition file says.
 *
 * @param file as the user named it
 * @param subsystems at least one, in the order of the file
 */
public record Definitions(String file, List<Subsystem> subsystems) {
  /**
   * Reads a file.
   *
   * @throws DefinitionException with everything that is wrong in it
   */
  public static Definitions read(Path path) throws IOException {
    byte[] bytes = Files.readAllBytes(path);
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      return parse(path.toString(), text);
    } catch (CharacterCodingException e) {
      throw new IOException("file is not UTF-8: path=" + path + "; save it as UTF-8", e);
    }
  }

  /**
   * Reads a text.
   *
   * @param file name for messages
   * @throws DefinitionException with everything that is wrong in it
   */
  public static Definitions parse(String file, String text) throws DefinitionException {
    return DefinitionReader.read(file, text);
  }

  /** The file's name without folder and ending. */
  public String baseName() {
    String name = file.substring(file.lastIndexOf('/') + 1);
    int dot = name.lastIndexOf('.');
    return dot > 0 ? name.substring(0, dot) : name;
  }

  /** How many events all subsystems have. */
  public int eventCount() {
    return subsystems.stream().mapToInt(s -> s.events().size()).sum();
  }
}
