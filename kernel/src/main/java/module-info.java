/** Takes events from the Linux kernel: which there are, a tracing instance, and decoded pages. */
module dev.kymo.kernel {
  requires static transitive org.jspecify;
  requires transitive dev.kymo.format;

  exports dev.kymo.kernel;
}
