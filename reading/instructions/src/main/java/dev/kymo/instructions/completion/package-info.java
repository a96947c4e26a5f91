/** The recorder's side: compresses traces while they grow, and completes them at the end. */
@NullMarked
package dev.kymo.instructions.completion;

import org.jspecify.annotations.NullMarked;
