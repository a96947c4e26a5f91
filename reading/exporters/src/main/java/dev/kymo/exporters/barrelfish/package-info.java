/** Recordings as trace logs of Barrelfish, sent as its server bfscope sends them. */
@NullMarked
package dev.kymo.exporters.barrelfish;

import org.jspecify.annotations.NullMarked;
