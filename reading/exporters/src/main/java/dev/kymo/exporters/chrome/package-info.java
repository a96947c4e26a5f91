/** The JSON of Chrome's trace viewer, which Perfetto reads too. */
@NullMarked
package dev.kymo.exporters.chrome;

import org.jspecify.annotations.NullMarked;
