package dev.kymo.cli.print;

/** How {@code kymo print} writes events for people and for scripts. */
enum PrintFormat {
  text,
  table,
  raw
}
