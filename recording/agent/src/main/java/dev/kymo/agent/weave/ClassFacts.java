package dev.kymo.agent.weave;

import java.util.List;

/**
 * The facts of a class file that decide which probes it gets.
 *
 * @param source name of the source file, empty if unknown
 * @param methods all methods, in the class file's order; in a class that exists to record events,
 *     none has code
 */
record ClassFacts(String source, List<MethodFacts> methods) {}
