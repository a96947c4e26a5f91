package dev.kymo.model;

/** Is told how far long work has come; called often, from the working thread. */
@FunctionalInterface
public interface ProgressListener {
  /** Nobody listens. */
  ProgressListener NONE = (done, total) -> {};

  /** So many of so many bytes are done. */
  void progress(long done, long total);
}
