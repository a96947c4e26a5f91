/** SQL over recordings. */
@SuppressWarnings("requires-automatic") // DuckDB's jar has no module-info
module dev.kymo.query {
  requires static transitive org.jspecify;
  requires transitive dev.kymo.exporters;
  requires dev.kymo.tables;
  requires duckdb.jdbc;
  requires transitive java.sql;

  exports dev.kymo.query.ask;
  exports dev.kymo.query.library;
  exports dev.kymo.query.parquet;
  exports dev.kymo.query.rules;
  exports dev.kymo.query.tables;
  exports dev.kymo.query.worker;
}
