/**
 * Events of a program's own. The module depends on nothing, and does nothing where nobody records.
 */
module dev.kymo.api {
  requires static org.jspecify;

  exports dev.kymo.api;
}
