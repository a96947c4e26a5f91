/** The trace format of Paj&eacute;, which ViTE and pj_dump read. */
@NullMarked
package dev.kymo.exporters.paje;

import org.jspecify.annotations.NullMarked;
