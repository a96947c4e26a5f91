/** Tests of the package. */
@NullMarked
package dev.kymo.server.answers;

import org.jspecify.annotations.NullMarked;
