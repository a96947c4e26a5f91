/** The files of a trace of instructions: blocks, chunks, facts of processes, and their decoding. */
@NullMarked
package dev.kymo.instructions.trace;

import org.jspecify.annotations.NullMarked;
