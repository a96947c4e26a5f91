/** Makes of recordings what other tools read. */
module dev.kymo.exporters {
  requires static transitive org.jspecify;
  requires transitive dev.kymo.analysis;
  requires java.desktop;

  exports dev.kymo.exporters;
  exports dev.kymo.exporters.barrelfish;
  exports dev.kymo.exporters.otf2;
  exports dev.kymo.exporters.picture;
  exports dev.kymo.exporters.source;
  exports dev.kymo.exporters.stacks;
  exports dev.kymo.exporters.table;
}
