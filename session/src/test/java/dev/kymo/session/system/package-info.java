/** Tests of the package. */
@NullMarked
package dev.kymo.session.system;

import org.jspecify.annotations.NullMarked;
