/** What is written from definitions: Java, C and JSON. */
@NullMarked
package dev.kymo.events.generate;

import org.jspecify.annotations.NullMarked;
