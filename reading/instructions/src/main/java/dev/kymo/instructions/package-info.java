/** Traces of instructions: which blocks threads executed, and the calls that follow from them. */
@NullMarked
package dev.kymo.instructions;

import org.jspecify.annotations.NullMarked;
