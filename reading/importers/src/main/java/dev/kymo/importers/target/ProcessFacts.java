package dev.kymo.importers.target;

/** What a recording says of an imported process; {@link Target#process} has the meanings. */
record ProcessFacts(int pid, int parent, String command, String machine) {}
