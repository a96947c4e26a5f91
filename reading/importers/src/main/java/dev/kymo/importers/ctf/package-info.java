/** Traces in the Common Trace Format, among them LTTng's: what becomes of their events. */
@NullMarked
package dev.kymo.importers.ctf;

import org.jspecify.annotations.NullMarked;
