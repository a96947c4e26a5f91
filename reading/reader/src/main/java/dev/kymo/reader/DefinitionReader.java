package dev.kymo.reader;

import dev.kymo.format.Definition;
import dev.kymo.format.DefinitionCodec;
import java.nio.ByteBuffer;

/** Reads the definitions of one stream. */
public final class DefinitionStream extends ExtendedStream<Definition> {
  DefinitionStream(Recording recording, StreamFile file, Diagnostics diagnostics) {
    super(recording, file, diagnostics, DefinitionCodec.MAX_SIZE, Oddity.BAD_DEFINITION);
  }

  @Override
  Definition get(ByteBuffer from, int id) {
    return DefinitionCodec.get(from, id);
  }
}
