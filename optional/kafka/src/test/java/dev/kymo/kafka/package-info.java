@NullMarked
package dev.kymo.kafka;

import org.jspecify.annotations.NullMarked;
