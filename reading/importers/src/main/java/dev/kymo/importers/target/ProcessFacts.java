package dev.kymo.importers.target;

/** Facts of an imported process in a recording; {@link Target#process} has the meanings. */
record ProcessFacts(int pid, int parent, String command, String machine) {}
