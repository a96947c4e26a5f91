/** What the importers of Linux traces share: made-up layouts of events, markers, function calls. */
@NullMarked
package dev.kymo.importers.linux;

import org.jspecify.annotations.NullMarked;
