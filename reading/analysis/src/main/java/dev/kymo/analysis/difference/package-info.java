/** What is different between recordings, and where it comes from. */
@NullMarked
package dev.kymo.analysis.difference;

import org.jspecify.annotations.NullMarked;
