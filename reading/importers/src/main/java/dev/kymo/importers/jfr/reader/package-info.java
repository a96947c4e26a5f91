/**
 * Reads files of the JDK's Flight Recorder: chunks, their descriptions of types, constants and
 * events. It knows nothing of what becomes of them.
 */
@NullMarked
package dev.kymo.importers.jfr.reader;

import org.jspecify.annotations.NullMarked;
