/** The files of a recording's index: bytes, blocks, where they lie, and who may write them. */
@NullMarked
package dev.kymo.model.index;

import org.jspecify.annotations.NullMarked;
