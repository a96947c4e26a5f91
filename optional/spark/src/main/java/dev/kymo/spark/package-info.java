/**
 * Answers a question with Spark. Runs in a process of its own, which {@code kymo query} starts and
 * talks to by files: Spark's libraries are others than Kymo's.
 */
@NullMarked
package dev.kymo.spark;

import org.jspecify.annotations.NullMarked;
