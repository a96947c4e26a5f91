/** Questions over the model: what costs what. */
module dev.kymo.analysis {
  requires static transitive org.jspecify;
  requires transitive dev.kymo.model;

  exports dev.kymo.analysis;
  exports dev.kymo.analysis.locks;
  exports dev.kymo.analysis.path;
  exports dev.kymo.analysis.slice;
}
