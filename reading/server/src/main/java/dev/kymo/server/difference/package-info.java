/** How recordings differ, as JSON for programs and pages. */
@NullMarked
package dev.kymo.server.difference;

import org.jspecify.annotations.NullMarked;
