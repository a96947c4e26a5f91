/** Tests of the package. */
@NullMarked
package dev.kymo.server.export;

import org.jspecify.annotations.NullMarked;
