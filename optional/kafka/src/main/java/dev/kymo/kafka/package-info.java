/** Recordings through Kafka: a topic in the place of a receiver of our own. */
@NullMarked
package dev.kymo.kafka;

import org.jspecify.annotations.NullMarked;
