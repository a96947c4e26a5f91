/** Shows a recording to a browser on the same machine. */
module dev.kymo.server {
  requires static org.jspecify;
  requires transitive dev.kymo.model;
  requires dev.kymo.analysis;
  requires dev.kymo.editing;
  requires dev.kymo.query;
  requires dev.kymo.tables;
  requires dev.kymo.viewer;
  requires jdk.httpserver;
  requires com.fasterxml.jackson.core;

  exports dev.kymo.server;
  exports dev.kymo.server.access;
  exports dev.kymo.server.difference;
  exports dev.kymo.server.page;
}
