/** The browser viewer's files, as built from TypeScript. */
module dev.kymo.viewer {
  requires static org.jspecify;

  exports dev.kymo.viewer;
}
