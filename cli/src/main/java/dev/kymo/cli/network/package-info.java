/** Recordings between machines: receiving, sending, and who trusts whom. */
@NullMarked
package dev.kymo.cli.network;

import org.jspecify.annotations.NullMarked;
