/** Which formats of other tracers can be imported. */
@NullMarked
package dev.kymo.foreign;

import org.jspecify.annotations.NullMarked;
