/** Names of calls, threads and states for people. */
@NullMarked
package dev.kymo.cli.words;

import org.jspecify.annotations.NullMarked;
