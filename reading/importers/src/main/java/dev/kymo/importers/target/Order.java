package dev.kymo.importers.target;

/** In which order an import gives what happened. */
public enum Order {
  /** By time. What comes too late is put at the time of what came before, and counted. */
  BY_TIME,
  /** In any order: it is sorted, in bounded memory, with a temporary file. */
  ANY
}
