/** Traces of instructions: which blocks threads executed, and the calls that follow from them. */
module dev.kymo.instructions {
  requires static transitive org.jspecify;
  requires transitive dev.kymo.format;
  requires dev.kymo.writer;
  requires com.github.luben.zstd_jni;
  requires net.fornwall.jelf;

  exports dev.kymo.instructions;
  exports dev.kymo.instructions.calls;
  exports dev.kymo.instructions.completion;
  exports dev.kymo.instructions.listing;
}
