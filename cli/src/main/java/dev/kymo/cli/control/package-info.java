/** Commands to what runs already: recorders in programs, and the daemon of kernel events. */
@NullMarked
package dev.kymo.cli.control;

import org.jspecify.annotations.NullMarked;
