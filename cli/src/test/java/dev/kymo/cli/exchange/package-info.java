@NullMarked
package dev.kymo.cli.exchange;

import org.jspecify.annotations.NullMarked;
