/** {@code kymo record}: runs or attaches to a program and writes what its threads do. */
@NullMarked
package dev.kymo.cli.record;

import org.jspecify.annotations.NullMarked;
