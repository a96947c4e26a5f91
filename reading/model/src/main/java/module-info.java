/** Threads, calls and loss, rebuilt from the event streams of a recording. */
module dev.kymo.model {
  requires static org.jspecify;
  requires transitive dev.kymo.reader;

  exports dev.kymo.model;
}
