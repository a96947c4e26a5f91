/** Other people's traces in, ours out. */
@NullMarked
package dev.kymo.cli.exchange;

import org.jspecify.annotations.NullMarked;
