/** The tables that terminal, files, SQL, server and viewer show: each column is defined once. */
module dev.kymo.tables {
  requires static transitive org.jspecify;
  requires transitive dev.kymo.analysis;
  requires transitive dev.kymo.instructions;

  exports dev.kymo.tables;
}
