/** Which formats of other tracers can be imported. */
@NullMarked
package dev.kymo.importers;

import org.jspecify.annotations.NullMarked;
