/** Takes lines of ftrace's text apart. */
@NullMarked
package dev.kymo.importers.ftracetext.lines;

import org.jspecify.annotations.NullMarked;
