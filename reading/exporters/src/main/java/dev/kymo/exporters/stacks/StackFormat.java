package dev.kymo.exporters.stacks;

import dev.kymo.exporters.source.ExportFormat;

/** A format of stacks, which may be those of calls or of samples. */
public interface StackFormat extends ExportFormat {
  /** Instead of a kind of samples: what the recording says more of. */
  String AUTOMATIC = "";

  /** Instead of a kind of samples: calls. */
  String CALLS = "none";

  /** The same format, of samples of a kind; writing refuses a kind that is not there. */
  StackFormat of(String samples);
}
