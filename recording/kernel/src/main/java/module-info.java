/** Takes events from the Linux kernel: services, a tracing instance, and decoded pages. */
module dev.kymo.kernel {
  requires static transitive org.jspecify;
  requires transitive dev.kymo.format;
  requires transitive dev.kymo.writer;
  requires transitive dev.kymo.states;
  requires jdk.net;

  exports dev.kymo.kernel;
  exports dev.kymo.kernel.daemon;
}
