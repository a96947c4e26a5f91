/** Events of a program's own. Depends on nothing, and does nothing where nobody records. */
module dev.kymo.api {
  requires static org.jspecify;

  exports dev.kymo.api;
}
