/**
 * Records tests: {@link dev.kymo.junit.Recorded}. What a test did is judged by the rules of {@code
 * kymo check}, which has to be installed.
 */
@NullMarked
package dev.kymo.junit;

import org.jspecify.annotations.NullMarked;
