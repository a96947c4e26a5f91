/** A recording and the viewer in one HTML file that needs no server. */
@NullMarked
package dev.kymo.server.page;

import org.jspecify.annotations.NullMarked;
