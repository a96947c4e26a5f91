/** Reads protocol buffers: fields of messages, and the packets of a trace. */
@NullMarked
package dev.kymo.importers.perfetto.wire;

import org.jspecify.annotations.NullMarked;
