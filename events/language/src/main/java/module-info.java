/** The event definition language: read, checked, and turned into Java, C and JSON. */
module dev.kymo.events {
  requires static transitive org.jspecify;
  requires transitive dev.kymo.format;
  requires org.antlr.antlr4.runtime;

  exports dev.kymo.events;
  exports dev.kymo.events.generate;
  exports dev.kymo.events.parse;
}
