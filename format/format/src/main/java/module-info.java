/** The bytes of a recording: packets, records, definitions, shared-memory rings. No I/O. */
module dev.kymo.format {
  requires static org.jspecify;

  exports dev.kymo.format;
}
