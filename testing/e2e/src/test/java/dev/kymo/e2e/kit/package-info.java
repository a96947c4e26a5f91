/** What the tests share: Kymo as it is installed, programs to record, recordings that many read. */
@NullMarked
package dev.kymo.e2e.kit;

import org.jspecify.annotations.NullMarked;
