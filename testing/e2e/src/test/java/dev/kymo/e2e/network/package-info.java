/** Recordings between machines. */
@NullMarked
package dev.kymo.e2e.network;

import org.jspecify.annotations.NullMarked;
