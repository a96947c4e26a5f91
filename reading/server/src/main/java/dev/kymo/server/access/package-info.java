/** Who may ask the server. */
@NullMarked
package dev.kymo.server.access;

import org.jspecify.annotations.NullMarked;
