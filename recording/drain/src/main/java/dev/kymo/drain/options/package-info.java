/** What users ask of a recording, in their words. */
@NullMarked
package dev.kymo.drain.options;

import org.jspecify.annotations.NullMarked;
