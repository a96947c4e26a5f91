package dev.kymo.reader;

import dev.kymo.format.Definition;
import dev.kymo.format.DefinitionCodec;
import java.nio.ByteBuffer;

/** Reads the definitions of one stream. */
public final class DefinitionReader extends ExtendedStream<Definition> {
  DefinitionReader(StreamSource file, StreamRules rules, Diagnostics diagnostics) {
    super(file, rules, diagnostics, DefinitionCodec.MAX_SIZE, Oddity.BAD_DEFINITION);
  }

  @Override
  Definition get(ByteBuffer from, int id) {
    return DefinitionCodec.get(from, id);
  }
}
