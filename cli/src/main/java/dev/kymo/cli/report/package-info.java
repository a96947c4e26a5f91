/** Commands that add up a recording: {@code report} and {@code info}. */
@NullMarked
package dev.kymo.cli.report;

import org.jspecify.annotations.NullMarked;
