/** Threads, calls and loss, rebuilt from the event streams of a recording. */
module dev.kymo.model {
  requires static org.jspecify;
  requires transitive dev.kymo.reader;

  exports dev.kymo.model.arrows;
  exports dev.kymo.model.calls;
  exports dev.kymo.model.counts;
  exports dev.kymo.model.definitions;
  exports dev.kymo.model.index;
  exports dev.kymo.model.replay;
  exports dev.kymo.model.timeline;
}
