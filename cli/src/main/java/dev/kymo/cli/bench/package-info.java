/** {@code kymo bench}: what recording an event costs on this machine. */
@NullMarked
package dev.kymo.cli.bench;

import org.jspecify.annotations.NullMarked;
