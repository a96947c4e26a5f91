package dev.kymo.symbols;

import dev.kymo.format.Definition;
import dev.kymo.reader.DefinitionFollower;
import dev.kymo.reader.Diagnostics;
import dev.kymo.reader.Recording;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/**
 * Source lines of native code, from the files that contained it, if they are here and have the
 * build ids that the recording says. Used by one thread.
 */
public final class SourceLines implements AutoCloseable {
  /** Asks only for the line: the name is known. */
  private static final String NAMED = "-";

  private final SymbolProcess symbols = new SymbolProcess();
  private final Map<String, String> builds = new HashMap<>();

  public SourceLines(Recording recording) throws IOException {
    DefinitionFollower definitions = new DefinitionFollower(recording, new Diagnostics());
    definitions.poll((process, clock, definition) -> take(definition));
  }

  private void take(Definition definition) {
    if (definition instanceof Definition.Type type
        && type.type() < Definition.Type.FIRST_OF_NAMES
        && !type.source().isEmpty()) {
      builds.put(type.loader(), type.source());
    }
  }

  /**
   * The line that an instruction was made of, {@code /src/main.c:12}; empty if that is not known.
   *
   * @param file with the code
   * @param address as the file has it
   */
  public String of(String file, long address) {
    String build = builds.get(file);
    if (build == null) {
      return "";
    }
    SymbolProcess.Answer answer = symbols.ask(file, build, address, NAMED);
    return answer == null || answer.line() <= 0 ? "" : answer.file() + ":" + answer.line();
  }

  @Override
  public void close() {
    symbols.close();
  }
}
