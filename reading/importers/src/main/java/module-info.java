/** Makes recordings of other tracers' files. */
module dev.kymo.importers {
  requires static transitive org.jspecify;
  requires transitive dev.kymo.format;
  requires com.fasterxml.jackson.core;
  requires com.github.luben.zstd_jni;
  requires dev.kymo.states;
  requires dev.kymo.writer;
  requires org.antlr.antlr4.runtime;

  exports dev.kymo.importers;
  exports dev.kymo.importers.barrelfish;
  exports dev.kymo.importers.target;
}
