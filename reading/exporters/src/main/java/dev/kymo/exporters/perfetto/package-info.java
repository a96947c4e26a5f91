/** The protocol buffers of Perfetto. */
@NullMarked
package dev.kymo.exporters.perfetto;

import org.jspecify.annotations.NullMarked;
