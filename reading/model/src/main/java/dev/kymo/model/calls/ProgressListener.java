package dev.kymo.model.calls;

/** Takes the progress of long work; called often, from the working thread. */
@FunctionalInterface
public interface ProgressListener {
  ProgressListener NONE = (done, total) -> {};

  /** {@code done} of {@code total} bytes are done. */
  void progress(long done, long total);
}
