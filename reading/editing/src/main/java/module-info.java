/** Recordings made of recordings: slices, several on one clock, tracks of activities. */
module dev.kymo.editing {
  requires static transitive org.jspecify;
  requires transitive dev.kymo.analysis;
  requires dev.kymo.writer;

  exports dev.kymo.editing.activity;
  exports dev.kymo.editing.clocks;
  exports dev.kymo.editing.slice;
}
