/** Computes what threads and processors did from kernel events. */
module dev.kymo.states {
  requires static transitive org.jspecify;
  requires transitive dev.kymo.format;
  requires transitive dev.kymo.writer;

  exports dev.kymo.states;
}
