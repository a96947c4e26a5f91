/** Scripts of users that choose events and find activities. */
module dev.kymo.scripts {
  requires static transitive org.jspecify;
  requires transitive dev.kymo.analysis;
  requires org.mozilla.rhino;
  requires jdk.management;

  exports dev.kymo.scripts;
}
