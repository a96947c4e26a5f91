/**
 * Commands that list a recording, event by event or call by call: {@code print} and {@code replay}.
 */
@NullMarked
package dev.kymo.cli.print;

import org.jspecify.annotations.NullMarked;
