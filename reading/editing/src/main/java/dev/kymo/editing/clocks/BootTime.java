package dev.kymo.editing.clocks;

import dev.kymo.format.Definition;
import dev.kymo.reader.DefinitionReader;
import dev.kymo.reader.Diagnostics;
import dev.kymo.reader.Recording;
import dev.kymo.reader.StreamSource;
import java.util.OptionalLong;

/** Time at which a machine was booted, as a recording's pairs of clocks say. */
public final class BootTime {
  private BootTime() {}

  /** Wall time, nanoseconds since 1970, at which the monotonic clock was 0; by the last pair. */
  public static OptionalLong of(Recording recording) {
    OptionalLong boot = OptionalLong.empty();
    for (StreamSource file : recording.definitionStreams()) {
      DefinitionReader stream = recording.definitions(file, new Diagnostics());
      for (Definition next = stream.next(); next != null; next = stream.next()) {
        if (next instanceof Definition.ClockPair pair) {
          boot = OptionalLong.of(pair.wall() - pair.monotonic());
        }
      }
    }
    return boot;
  }
}
