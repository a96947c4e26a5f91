/** Makes recordings of other tracers' files. */
module dev.kymo.foreign {
  requires static transitive org.jspecify;
  requires transitive dev.kymo.format;
  requires com.fasterxml.jackson.core;
  requires com.github.luben.zstd_jni;
  requires dev.kymo.states;
  requires dev.kymo.writer;
  requires org.antlr.antlr4.runtime;

  exports dev.kymo.foreign;
  exports dev.kymo.foreign.barrelfish;
  exports dev.kymo.foreign.target;
}
