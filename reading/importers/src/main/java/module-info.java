/** Makes recordings of what other tracers wrote. */
module dev.kymo.foreign {
  requires static transitive org.jspecify;
  requires dev.kymo.format;
  requires dev.kymo.writer;

  exports dev.kymo.foreign.barrelfish;
}
