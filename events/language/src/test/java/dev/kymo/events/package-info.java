@NullMarked
package dev.kymo.events;

import org.jspecify.annotations.NullMarked;
