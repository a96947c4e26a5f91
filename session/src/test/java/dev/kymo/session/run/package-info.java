/** Tests of the package. */
@NullMarked
package dev.kymo.session.run;

import org.jspecify.annotations.NullMarked;
