/** Puts probes into classes: which ones, where, in C or by ASM, and takes them out again. */
@NullMarked
package dev.kymo.agent.weave;

import org.jspecify.annotations.NullMarked;
