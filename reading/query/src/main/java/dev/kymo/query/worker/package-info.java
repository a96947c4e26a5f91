/** A process of its own for questions, which can be ended for certain. */
@NullMarked
package dev.kymo.query.worker;

import org.jspecify.annotations.NullMarked;
