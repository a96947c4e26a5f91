/** Activities: what belongs together across threads and processes, such as a request. */
@NullMarked
package dev.kymo.analysis.activity;

import org.jspecify.annotations.NullMarked;
