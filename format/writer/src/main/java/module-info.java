/** Writes the stream files of a recording from outside a traced program. */
module dev.kymo.writer {
  requires static transitive org.jspecify;
  requires transitive dev.kymo.format;

  exports dev.kymo.writer;
}
