/**
 * Receives recordings of many senders. Runs in {@code kymo listen}; believes nothing it is sent.
 */
@NullMarked
package dev.kymo.network.listen;

import org.jspecify.annotations.NullMarked;
