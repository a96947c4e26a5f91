@NullMarked
package dev.kymo.events.generate;

import org.jspecify.annotations.NullMarked;
