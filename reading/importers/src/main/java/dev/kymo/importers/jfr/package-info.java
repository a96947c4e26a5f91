/** Files of the JDK's Flight Recorder, and of async-profiler in that format. */
@NullMarked
package dev.kymo.importers.jfr;

import org.jspecify.annotations.NullMarked;
