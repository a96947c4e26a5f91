package dev.kymo.cli.print;

/** The formats in which {@code kymo print} writes events for people and for scripts. */
enum PrintFormat {
  text,
  table,
  raw
}
