/** Names, files and lines of native functions, from the files that contained them. */
module dev.kymo.symbols {
  requires static transitive org.jspecify;
  requires dev.kymo.format;
  requires dev.kymo.reader;
  requires dev.kymo.writer;

  exports dev.kymo.symbols;
}
