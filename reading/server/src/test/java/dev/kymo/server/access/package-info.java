/** Tests of the package. */
@NullMarked
package dev.kymo.server.access;

import org.jspecify.annotations.NullMarked;
