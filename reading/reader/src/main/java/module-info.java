/** Opens recordings: reads, checks and streams their events, and says what is wrong with them. */
module dev.kymo.reader {
  requires static transitive org.jspecify;
  requires transitive dev.kymo.format;
  requires transitive dev.kymo.instructions;

  exports dev.kymo.reader;
}
