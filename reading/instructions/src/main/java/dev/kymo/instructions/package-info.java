/** Where the files of a trace of instructions come from. */
@NullMarked
package dev.kymo.instructions;

import org.jspecify.annotations.NullMarked;
