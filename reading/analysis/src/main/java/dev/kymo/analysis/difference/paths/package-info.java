/**
 * Who called whom in a recording, thread by thread's role, in trees that others can be compared
 * with.
 */
@NullMarked
package dev.kymo.analysis.difference.paths;

import org.jspecify.annotations.NullMarked;
