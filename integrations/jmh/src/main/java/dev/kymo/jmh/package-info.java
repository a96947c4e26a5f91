/**
 * A profiler of JMH: {@link dev.kymo.jmh.KymoProfiler}. What is in the recordings it asks {@code
 * kymo}, which has to be installed.
 */
@NullMarked
package dev.kymo.jmh;

import org.jspecify.annotations.NullMarked;
