/** Names of calls, threads, states and places for people. */
@NullMarked
package dev.kymo.cli.words;

import org.jspecify.annotations.NullMarked;
