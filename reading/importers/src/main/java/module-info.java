/** Makes recordings of other tracers' files. */
module dev.kymo.importers {
  requires static transitive org.jspecify;
  requires dev.kymo.format;
  requires dev.kymo.writer;

  exports dev.kymo.importers.barrelfish;
}
