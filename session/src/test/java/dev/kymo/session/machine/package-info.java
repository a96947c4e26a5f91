/** Tests of the package. */
@NullMarked
package dev.kymo.session.machine;

import org.jspecify.annotations.NullMarked;
