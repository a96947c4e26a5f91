/** Takes lines of ftrace's text apart. */
@NullMarked
package dev.kymo.foreign.ftracetext.lines;

import org.jspecify.annotations.NullMarked;
