/** Imports text of ftrace: the kernel's, trace-cmd's and atrace's. */
@NullMarked
package dev.kymo.importers.ftracetext;

import org.jspecify.annotations.NullMarked;
