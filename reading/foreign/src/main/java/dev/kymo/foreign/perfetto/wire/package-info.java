/** Reads protocol buffers: fields of messages, and the packets of a trace. */
@NullMarked
package dev.kymo.foreign.perfetto.wire;

import org.jspecify.annotations.NullMarked;
