/** Questions over the model: what costs what. */
module dev.kymo.analysis {
  requires static transitive org.jspecify;
  requires transitive dev.kymo.model;

  exports dev.kymo.analysis.activity;
  exports dev.kymo.analysis.cause;
  exports dev.kymo.analysis.costs;
  exports dev.kymo.analysis.difference;
  exports dev.kymo.analysis.difference.match;
  exports dev.kymo.analysis.difference.paths;
  exports dev.kymo.analysis.difference.statistics;
  exports dev.kymo.analysis.events;
  exports dev.kymo.analysis.filter;
  exports dev.kymo.analysis.locks;
  exports dev.kymo.analysis.names;
  exports dev.kymo.analysis.path;
  exports dev.kymo.analysis.samples;
  exports dev.kymo.analysis.search;
  exports dev.kymo.analysis.selection;
  exports dev.kymo.analysis.statistics;
  exports dev.kymo.analysis.summary;
  exports dev.kymo.analysis.tree;
  exports dev.kymo.analysis.whole;
}
