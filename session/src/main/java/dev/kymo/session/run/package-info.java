/** Runs a program or attaches to a process, and writes what its threads do. */
@NullMarked
package dev.kymo.session.run;

import org.jspecify.annotations.NullMarked;
