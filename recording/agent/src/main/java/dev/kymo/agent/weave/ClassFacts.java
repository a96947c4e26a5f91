package dev.kymo.agent;

import java.util.List;

/**
 * What a class file says that decides which probes it gets.
 *
 * @param source name of the source file, empty if unknown
 * @param methods all of them, in the class file's order; of a class that is there to record events
 *     none has code
 */
record ClassFacts(String source, List<MethodFacts> methods) {}
