package dev.kymo.query.tables;

/** What the values of a column are. */
public enum SqlType {
  /** 32 bits, signed. */
  INT,
  /** 64 bits, signed. */
  LONG,
  /** 64 bits, unsigned; always known. */
  UNSIGNED,
  /** NaN = not known. */
  DOUBLE,
  BOOLEAN,
  TEXT
}
